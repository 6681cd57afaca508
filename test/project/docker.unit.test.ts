import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import type { Environment, Settings } from '../../src/config/settings.js';
import { erasuresFileOf } from '../../src/modules/privacy/tombstones/erasures-file.js';
import { readSettings } from '../../src/start/load-settings.js';
import {
  composeFile,
  DOCKER,
  requiredVariables,
  textOf,
  type ComposeFile,
  type ComposeService,
} from '../support/docs/compose-file.js';

const FILES = ['compose.yaml', 'compose.cluster.yaml'];
const ROOT = new URL('../', DOCKER);
const OWN_IMAGE = 'vendor-reporting-api:local';
const SECRET = /PASSWORD|SECRET/;

const DOCKERFILE = textOf('Dockerfile');
/** The variables that the image sets, and that a Compose file may override. */
const IMAGE_ENVIRONMENT: Environment = Object.fromEntries(
  [...(/^ENV (.+)$/m.exec(DOCKERFILE)?.[1] ?? '').matchAll(/(\w+)=(\S+)/g)].map(
    ([, name = '', value = '']) => [name, value],
  ),
);

const containers = (file: ComposeFile): [string, ComposeService][] => Object.entries(file.services);
const ownContainers = (file: ComposeFile) =>
  containers(file).filter(([, { image }]) => image === OWN_IMAGE);
const settingsOf = ({ environment }: ComposeService): Settings =>
  readSettings({ ...IMAGE_ENVIRONMENT, ...environment });

/** Returns the variables that the service reads. */
function settingNames(): Set<string> {
  const names = new Set<string>();
  const secret = 'a secret of exactly 32 characters';
  const known: Environment = { KEY_ENCRYPTION_SECRET: secret };
  const asked = new Proxy(known, {
    get: (target, name) => {
      names.add(String(name));
      return target[String(name)];
    },
  });
  readSettings(asked);
  return names;
}

describe.each(FILES)('docker/%s', (name) => {
  const file = composeFile(name);

  it('gives the service existing settings with valid values', () => {
    const names = settingNames();
    expect(ownContainers(file).length).toBeGreaterThan(1);
    for (const [, service] of ownContainers(file)) {
      const unknown = Object.keys(service.environment ?? {}).filter((key) => !names.has(key));
      expect(unknown).toEqual([]);
      expect(settingsOf(service).environment).toBe('production');
    }
  });

  it('lets only one container change the schema', () => {
    const migrating = ownContainers(file).filter(
      ([, one]) => settingsOf(one).migrations === 'auto',
    );
    expect(migrating.map(([service]) => service)).toEqual(['migrate']);
    for (const [service, one] of ownContainers(file)) {
      const user = service === 'migrate' ? 'vr_owner' : 'vr_service';
      expect(settingsOf(one).database).toMatchObject({ user, database: 'vendor_reporting' });
      expect(textOf('database-users.sh')).toContain(`CREATE USER ${user}@`);
    }
  });

  it('names databases and hosts that it starts, on a shared network', () => {
    for (const [, one] of ownContainers(file)) {
      const { database, limits } = settingsOf(one);
      if (database.dialect === 'sqlite') throw new Error('the data would be lost');
      const hosts = database.hosts.map(({ host }) => host);
      if (limits.redisUrl !== null) hosts.push(new URL(limits.redisUrl).hostname);
      for (const host of hosts) {
        expect(file.services[host]?.networks).toEqual(['data']);
        expect(one.networks).toContain('data');
      }
    }
    expect(file.networks.data).toEqual({ internal: true });
  });

  it('keeps the file of erasures where containers and databases come and go', () => {
    for (const [service, one] of ownContainers(file)) {
      if (service === 'migrate') continue;
      const folder = dirname(join('/app', erasuresFileOf(settingsOf(one))));
      const mounted = one.volumes?.find((volume) => volume.endsWith(`:${folder}`));
      expect(Object.keys(file.volumes)).toContain(mounted?.split(':')[0]);
      expect(one.tmpfs).toContain('/tmp:mode=1777');
    }
  });

  it('gives the service more time to stop than it needs', () => {
    for (const [service, one] of ownContainers(file)) {
      if (service === 'migrate') continue;
      const seconds = Number(/^(\d+)s$/.exec(one.stop_grace_period ?? '')?.[1]);
      expect(seconds * 1_000).toBeGreaterThan(settingsOf(one).shutdownGraceMs);
    }
  });

  it('mounts existing files read-only, and volumes that it declares', () => {
    const mounts = containers(file).flatMap(([, { volumes = [] }]) => volumes);
    expect(mounts).not.toEqual([]);
    for (const mount of mounts) {
      const [source = '', target, mode] = mount.split(':');
      expect(target).toMatch(/^\//);
      if (source.startsWith('./')) {
        expect({ source, is: existsSync(new URL(source, DOCKER)), mode }).toEqual({
          source,
          is: true,
          mode: 'ro',
        });
      } else expect(Object.keys(file.volumes)).toContain(source);
    }
  });

  it('publishes ports to this machine only, and no database', () => {
    for (const [, { ports = [], networks }] of containers(file)) {
      if (ports.length > 0) expect(networks).toContain('front');
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
    }
  });

  it('gives no container unnecessary rights', () => {
    for (const [, one] of containers(file)) {
      expect(one).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    }
  });

  it('contains no secret, and says how to create each', () => {
    const raw = textOf(name);
    for (const [, key = '', value = ''] of raw.matchAll(/^\s+(\w+): (.+)$/gm)) {
      if (SECRET.test(key)) expect(value).toMatch(/^\$\{\w+:[?-][^}]*\}$/);
    }
    for (const [, password] of raw.matchAll(/:\/\/\w+:([^@\s]+)@/g)) {
      expect(password).toMatch(/^\$\{\w+\}$/);
    }
    for (const variable of requiredVariables(name)) {
      expect(textOf('compose.yaml').split('\nname:')[0]).toContain(variable);
    }
  });
});

describe('docker/compose.yaml', () => {
  it('publishes the port on which the service listens', () => {
    const service = composeFile('compose.yaml').services.service;
    if (service === undefined) throw new Error('there is no service');
    const { host, port } = settingsOf(service);
    expect(host).toBe('0.0.0.0');
    expect(service.ports).toEqual([`127.0.0.1:3000:${port}`]);
    expect(DOCKERFILE).toMatch(new RegExp(`^EXPOSE ${port}$`, 'm'));
  });
});

describe('docker/compose.cluster.yaml', () => {
  const file = composeFile('compose.cluster.yaml');
  const instances = ownContainers(file).filter(([service]) => service !== 'migrate');

  it('balances over all instances, and reads health and metrics of each', () => {
    const prometheus = parse(textOf('prometheus.yml')) as {
      scrape_configs: { static_configs: { targets: string[] }[] }[];
    };
    const targets = prometheus.scrape_configs.flatMap(({ static_configs }) =>
      static_configs.flatMap((config) => config.targets),
    );
    const { balancer } = file.services;
    const balanced = [1, 2, 3].map((place) => balancer?.environment?.[`INSTANCE_${place}`]);
    for (const [, one] of instances) {
      expect(settingsOf(one).management.host).toBe('0.0.0.0');
      expect(settingsOf(one).transport.trustProxy).toBe(1);
      expect(one.networks).toEqual(['instances', 'data']);
    }
    const addresses = instances.map(([name, one]) => [name, settingsOf(one)] as const);
    expect(balanced).toEqual(addresses.map(([name, { port }]) => `${name}:${port}`));
    expect(targets).toEqual(addresses.map(([name, one]) => `${name}:${one.management.port}`));
    expect(balancer?.networks).not.toContain('data');
    expect(file.services.prometheus?.networks).not.toContain('data');
  });

  it('lets each instance prefer a different node', () => {
    const first = instances.map(([, one]) => {
      const { database } = settingsOf(one);
      return database.dialect === 'mysql' ? database.hosts[0].host : '';
    });
    expect(new Set(first).size).toBe(3);
    const nodes = file.services['galera-1']?.environment?.GALERA_NODES?.split(',');
    expect(nodes).toEqual(first);
  });
});

describe('docker/Dockerfile', () => {
  const ignored = readFileSync(new URL('.dockerignore', ROOT), 'utf8');

  it('copies existing files, and only files that .dockerignore allows', () => {
    const allowed = [...ignored.matchAll(/^!(.+)$/gm)].map(([, path = '']) => path);
    expect(ignored).toMatch(/^\*$/m);
    const copied = [...DOCKERFILE.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      ([, sources = '']) => sources.split(' '),
    );
    expect(copied.length).toBeGreaterThan(5);
    for (const path of copied) {
      expect(statSync(new URL(path, ROOT)).size).toBeGreaterThan(0);
      const isAllowed = (one: string) => one === path || one.startsWith(`${path}/`);
      expect({ path, allowed: allowed.some(isAllowed) }).toEqual({ path, allowed: true });
    }
  });

  it('runs as a numeric user other than root', () => {
    expect(DOCKERFILE).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
  });
});
