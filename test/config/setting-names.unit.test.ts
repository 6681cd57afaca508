import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { mistypedSettings } from '../../src/config/mistyped-settings.js';
import { SETTING_NAMES } from '../../src/start/load-settings.js';
import { settingsOf } from '../support/processes/settings.js';

const meantBy = (name: string) => mistypedSettings({ [name]: 'x' }, SETTING_NAMES)[0]?.setting;

/**
 * Variables that shells, npm, systemd, containers, Kubernetes and CI set, and those of other
 * programs.
 */
const ORDINARY = `
  PATH HOME HOSTNAME HOSTTYPE HOSTS USER USERNAME LOGNAME SHELL SHLVL TERM LANG LC_ALL TZ PWD OLDPWD MAIL
  EDITOR PORTAL PORTS EXPORT REPORT POST SPORT HOSTED GHOST WORKSPACE WORKDIR WORK KEY KEYS URL LEVEL LIMITS
  PROXY CERT HTTPS SECRET CONNECTIONS MIGRATIONS npm_config_cache npm_package_version npm_lifecycle_event
  npm_config_user_agent npm_config_loglevel NODE NODE_PATH NODE_OPTIONS NODE_VERSION NODE_EXTRA_CA_CERTS
  NODE_TLS_REJECT_UNAUTHORIZED NODE_CHANNEL_FD NODE_UNIQUE_ID NVM_DIR INIT_CWD COLOR CI GITHUB_ACTIONS
  RUNNER_TEMP http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY SSL_CERT_FILE
  SSL_CERT_DIR SSL_KEY INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET SYSTEMD_EXEC_PID KUBERNETES_PORT
  KUBERNETES_SERVICE_HOST KUBERNETES_PORT_443_TCP_ADDR REDIS_PORT REDIS_HOST REDIS_PASSWORD
  REDIS_SERVICE_HOST MYSQL_PORT MYSQL_HOST MYSQL_DATABASE MYSQL_ROOT_PASSWORD DATABASE_HOST DATABASE_PORT
  DATABASE_USER DATABASE_NAME DATABASE_PASSWORD DB_HOST DB_PORT DB_USER DB_NAME DB_PASSWORD PGHOST
  DATABASE_ROOT_PASSWORD DATABASE_OWNER_PASSWORD LOG_FILE LOG_DIR LOG_FORMAT DISPLAY XDG_RUNTIME_DIR
  DBUS_SESSION_BUS_ADDRESS SSH_AUTH_SOCK SSH_CONNECTION LS_COLORS LESSOPEN MAKEFLAGS PAGER VIRTUAL_HOST
  TEST_MYSQL_URL TEST_DATABASE_URL DATABASE_URL_TEST SENTRY_DSN AWS_REGION
`
  .trim()
  .split(/\s+/);

describe('A variable that is no setting', () => {
  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATABASEURL', 'DATABASE_URL'],
    ['DATABASE-URL', 'DATABASE_URL'],
    ['DATABASE_ULR', 'DATABASE_URL'],
    ['database_url', 'DATABASE_URL'],
    ['DB_URL', 'DATABASE_URL'],
    ['DATABASE_CONECTION', 'DATABASE_CONNECTIONS'],
    ['DATABASE_REPLICA_URL', 'DATABASE_REPLICA_URLS'],
    ['THROTLE_LIMITS', 'THROTTLE_LIMITS'],
    ['THROTTLE_LIMIT', 'THROTTLE_LIMITS'],
    ['REDIS_URI', 'REDIS_URL'],
    ['KEY_ENCRYPTON_SECRET', 'KEY_ENCRYPTION_SECRET'],
    ['ENCRYPTION_SECRET', 'KEY_ENCRYPTION_SECRET'],
    ['FAILED_KEYS', 'THROTTLE_FAILED_KEYS'],
    ['TLS_CA', 'DATABASE_TLS_CA'],
    ['TLS_CRT', 'TLS_CERT'],
    ['TRUSTED_PROXY', 'TRUST_PROXY'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['WORKER', 'WORKERS'],
    ['PROT', 'PORT'],
    ['port', 'PORT'],
    ['HSOT', 'HOST'],
  ])('is told of where it resembles one: %s', (name, setting) => {
    expect(meantBy(name)).toBe(setting);
  });

  it('resembles the nearest, where there are several', () => {
    expect(meantBy('MANAGEMENT_PROT')).toBe('MANAGEMENT_PORT');
    expect(meantBy('MANAGEMENT_HSOT')).toBe('MANAGEMENT_HOST');
  });

  it.each(ORDINARY)('is passed over where others use it: %s', (name) => {
    expect(meantBy(name)).toBeUndefined();
  });

  it('is passed over where it is empty, as a setting would be', () => {
    expect(mistypedSettings({ DATABSE_URL: '' }, SETTING_NAMES)).toEqual([]);
  });

  it('keeps the demo ledger away where it resembles DATABASE_URL', () => {
    expect(settingsOf({ REDIS_URI: 'x' }).databaseIsDefault).toBe(true);
    expect(settingsOf({ DATABSE_URL: 'x' }).databaseIsDefault).toBe(false);
    expect(settingsOf({ DATABSE_URL: '' }).databaseIsDefault).toBe(true);
  });
});

describe('The settings', () => {
  it.each(SETTING_NAMES)('are no mistake for another: %s', (name) => {
    expect(mistypedSettings({ [name]: 'x' }, SETTING_NAMES)).toEqual([]);
  });

  it('stand in docs/configuration.md, each in one row of its tables', () => {
    const page = readFileSync('docs/configuration.md', 'utf8');
    const rows = page.matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) /gm);
    const names = [...rows].flatMap(([, cell = '']) => cell.replaceAll('`', '').split(', '));
    expect(names.sort()).toEqual([...SETTING_NAMES].sort());
  });
});
