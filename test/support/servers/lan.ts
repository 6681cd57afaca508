import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { until } from './running-service.js';

const NETWORK = '10.77.0';
/** Address of the test itself, and of everything without a host of its own. */
export const HERE = `${NETWORK}.1`;
const FIRST_HOST = 11;

/** A host in the network of a test, with its own address and a cable that can be cut. */
export class Host {
  /** Command that runs another command on this host. */
  readonly within: readonly string[];

  constructor(
    readonly address: string,
    private readonly cable: string,
    private readonly holder: ChildProcess,
  ) {
    this.within = ['nsenter', `--net=/proc/${String(holder.pid)}/ns/net`, '--'];
  }

  /** Cuts the cable: packets are dropped silently in both directions. */
  cut(): void {
    run('ip', 'link', 'set', this.cable, 'down');
  }

  mend(): void {
    run('ip', 'link', 'set', this.cable, 'up');
  }

  /** Removes the host. Everything that runs on it must be ended first. */
  end(): void {
    this.holder.kill('SIGKILL');
  }
}

/**
 * A network with hosts in it. It is inside the network namespace of this process, which no other
 * process may use: see scripts/test-cluster.mjs.
 */
export class Lan {
  readonly hosts: readonly Host[];

  private constructor(hosts: readonly Host[]) {
    this.hosts = hosts;
  }

  static async start(size: number): Promise<Lan> {
    run('ip', 'link', 'set', 'lo', 'up');
    run('ip', 'link', 'add', 'lan', 'type', 'bridge');
    run('ip', 'addr', 'add', `${HERE}/24`, 'dev', 'lan');
    run('ip', 'link', 'set', 'lan', 'up');
    const hosts: Host[] = [];
    for (let place = 0; place < size; place += 1) hosts.push(await connected(place));
    return new Lan(hosts);
  }

  end(): void {
    for (const host of this.hosts) host.end();
    run('ip', 'link', 'delete', 'lan');
  }
}

/** Creates a host. Its namespace exists as long as a process runs in it, so one sleeps there. */
async function connected(place: number): Promise<Host> {
  const holder = spawn('unshare', ['--net', 'sleep', 'infinity'], { stdio: 'ignore' });
  const pid = String(holder.pid);
  const own = readlinkSync('/proc/self/ns/net');
  await until('a network of its own', () => readlinkSync(`/proc/${pid}/ns/net`) !== own);
  const cable = `cable${place}`;
  const host = new Host(`${NETWORK}.${FIRST_HOST + place}`, cable, holder);
  run('ip', 'link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', pid);
  run('ip', 'link', 'set', cable, 'master', 'lan', 'up');
  const [enter = '', ...args] = host.within;
  const there = (...command: readonly string[]) => {
    run(enter, ...args, 'ip', ...command);
  };
  there('addr', 'add', `${host.address}/24`, 'dev', 'eth0');
  there('link', 'set', 'eth0', 'up');
  there('link', 'set', 'lo', 'up');
  return host;
}

function run(command: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
}
