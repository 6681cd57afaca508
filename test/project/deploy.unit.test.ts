import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import type { Environment } from '../../src/config/settings.js';
import { erasuresFileOf } from '../../src/modules/privacy/tombstones/erasures-file.js';
import { readSettings, SETTING_NAMES } from '../../src/start/load-settings.js';

const SECRETS: Environment = {
  DATABASE_URL: 'mysql://user:password@db.example/vendor_reporting',
  KEY_ENCRYPTION_SECRET: 'a secret of exactly 32 characters',
};
const PROJECT = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly scripts: { readonly start: string };
  readonly version: string;
};

/** Returns the lines of a unit, each setting with all its values. */
function unit(name: string): Map<string, string[]> {
  const text = readFileSync(`deploy/systemd/${name}`, 'utf8');
  const values = new Map<string, string[]>();
  for (const [, key = '', value = ''] of text.matchAll(/^(\w+)=(.*)$/gm)) {
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  return values;
}

function environmentOf(name: string): Environment {
  const pairs = (unit(name).get('Environment') ?? []).flatMap((line) => line.split(' '));
  return Object.fromEntries(
    pairs.map((pair): [string, string] => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** The C library reads this variable, not the service. */
const OF_LIBRARY = 'MALLOC_ARENA_MAX';

function expectKnownSettings(environment: Environment): void {
  const known = [...SETTING_NAMES, OF_LIBRARY];
  expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
}

describe('deploy/systemd', () => {
  const UNITS = ['vendor-reporting.service', 'vendor-reporting-migrate.service'];

  it('starts the service like npm start', () => {
    const start = unit('vendor-reporting.service').get('ExecStart');
    expect(start).toEqual([`/usr/bin/${PROJECT.scripts.start}`]);
  });

  it('waits for the service to stop by itself', () => {
    const seconds = Number(unit('vendor-reporting.service').get('TimeoutStopSec')?.[0]);
    expect(seconds * 1_000).toBeGreaterThan(readSettings(SECRETS).shutdownGraceMs);
  });

  it('migrates with an existing command', () => {
    const start = unit('vendor-reporting-migrate.service').get('ExecStart');
    expect(start).toEqual(['/usr/bin/node dist/cli.js migrate']);
    expect(existsSync('src/start/migrate.command.ts')).toBe(true);
  });

  it.each(UNITS)('%s sets existing settings, and reads the rest from files', (name) => {
    const environment = environmentOf(name);
    expectKnownSettings(environment);
    expect(readSettings({ ...SECRETS, ...environment }).environment).toBe('production');
    expect(unit(name).get('EnvironmentFile')?.[0]).toBe('/etc/vendor-reporting/environment');
  });

  it('keeps files in the one folder that the service can write to', () => {
    const environment = environmentOf('vendor-reporting.service');
    const { database } = readSettings({ ...SECRETS, ...environment });
    const folder = unit('vendor-reporting.service').get('StateDirectory')?.[0] ?? 'none';
    expect(database).toMatchObject({ path: `/var/lib/${folder}/ledger.sqlite` });
    const erasuresFile = erasuresFileOf(readSettings({ ...environment, ...SECRETS }));
    expect(erasuresFile).toBe(`/var/lib/${folder}/ledger.sqlite.erasures.ndjson`);
  });

  it.each(UNITS)('%s has no unnecessary rights', (name) => {
    expect(Object.fromEntries(unit(name))).toMatchObject({
      DynamicUser: ['yes'],
      NoNewPrivileges: ['yes'],
      CapabilityBoundingSet: [''],
      ProtectSystem: ['strict'],
      ProtectHome: ['yes'],
      PrivateDevices: ['yes'],
    });
  });
});

interface Container {
  readonly image: string;
  readonly command?: readonly string[];
  readonly envFrom: readonly Readonly<Record<string, { readonly name: string }>>[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly securityContext: object;
  readonly resources: { readonly requests: object; readonly limits: object };
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: string[] } } };
}
type Probe = { readonly httpGet: { readonly path: string; readonly port: string } } | undefined;
type Probes = Readonly<Record<'startupProbe' | 'readinessProbe' | 'livenessProbe', Probe>>;

interface Pod {
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext: object;
  readonly containers: readonly [Container & Probes];
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data: Environment;
  readonly spec: {
    readonly selector: object;
    readonly ports: readonly { readonly targetPort: string }[];
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
    readonly template: { readonly metadata: { readonly labels: object }; readonly spec: Pod };
  };
}

describe('deploy/kubernetes', () => {
  const manifests = ['settings', 'migrate', 'service'].flatMap((name) => {
    const text = readFileSync(`deploy/kubernetes/${name}.yaml`, 'utf8');
    return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
  });
  const one = (kind: string): Manifest => {
    const found = manifests.filter((manifest) => manifest.kind === kind);
    if (found[0] === undefined || found.length > 1) throw new Error(`${found.length} of ${kind}`);
    return found[0];
  };
  const { data } = one('ConfigMap');
  const settings = readSettings({ ...SECRETS, ...data });
  const pods = ['Job', 'StatefulSet'].map((kind) => one(kind).spec.template.spec);
  const [job, service] = pods.map(({ containers }) => containers[0]);

  it('sets existing settings, and no secret', () => {
    expectKnownSettings(data);
    expect(settings).toMatchObject({ environment: 'production', migrations: 'off', workers: 1 });
    expect(Object.keys(data).filter((name) => /SECRET|DATABASE_URL|KEY/.test(name))).toEqual([]);
    expect(manifests.map(({ kind }) => kind)).not.toContain('Secret');
  });

  it('lets only the job change the schema, with the rights of the owner', () => {
    expect(job?.command).toEqual(['node', 'dist/cli.js', 'migrate']);
    const sources = (container?: Container) =>
      container?.envFrom.map((from) =>
        Object.entries(from).map(([kind, { name }]) => [kind, name]),
      );
    const usual = [[['configMapRef', 'vendor-reporting']], [['secretRef', 'vendor-reporting']]];
    expect(sources(service)).toEqual(usual);
    expect(sources(job)).toEqual([...usual, [['secretRef', 'vendor-reporting-owner']]]);
  });

  it('uses the management port for health checks, and the other port for requests', () => {
    expect(settings.management.host).toBe('0.0.0.0');
    expect(service?.ports).toEqual([
      { name: 'http', containerPort: settings.port },
      { name: 'management', containerPort: settings.management.port },
    ]);
    const probe = (path: string) => ({ httpGet: { path, port: 'management' } });
    expect(service).toMatchObject({
      startupProbe: probe('/health/live'),
      readinessProbe: probe('/health/ready'),
      livenessProbe: probe('/health/live'),
    });
    expect(one('Service').spec.ports).toMatchObject([{ targetPort: 'http' }]);
    const { labels } = one('StatefulSet').spec.template.metadata;
    expect(one('Service').spec.selector).toEqual(labels);
    expect(one('StatefulSet').spec.selector).toEqual({ matchLabels: labels });
    expect(one('PodDisruptionBudget').spec.selector).toEqual({ matchLabels: labels });
  });

  it('keeps the file of erasures of each pod', () => {
    const { template, volumeClaimTemplates } = one('StatefulSet').spec;
    const folder = dirname(join('/app', erasuresFileOf(settings)));
    const mounted = template.spec.containers[0].volumeMounts?.find(
      ({ mountPath }) => mountPath === folder,
    );
    expect(volumeClaimTemplates?.map(({ metadata }) => metadata.name)).toContain(mounted?.name);
  });

  it('ends a pod only when it gets no requests and has answered all', () => {
    const pause = service?.lifecycle?.preStop.exec.command ?? [];
    expect(pause[0]).toBe('sleep');
    const seconds = one('StatefulSet').spec.template.spec.terminationGracePeriodSeconds ?? 0;
    expect(seconds * 1_000).toBeGreaterThan(Number(pause[1]) * 1_000 + settings.shutdownGraceMs);
  });

  it('runs as the user of the image, in the version of the project, without additional rights', () => {
    const [, user = ''] = /^USER (\d+):/m.exec(readFileSync('docker/Dockerfile', 'utf8')) ?? [];
    for (const pod of pods) {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, runAsUser: Number(user) },
      });
      const [container] = pod.containers;
      expect(container).toMatchObject({
        image: `vendor-reporting-api:${PROJECT.version}`,
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        resources: { requests: { memory: '256Mi' }, limits: { memory: '512Mi' } },
      });
    }
  });
});
