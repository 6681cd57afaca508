import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Self-signed certificates with their keys, each for one host name. */
export class Certificates {
  private readonly folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-tls-'));

  /** @param file name of its two files, without an extension */
  make(file: string, host: string): void {
    const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
    const files = ['-keyout', this.key(file), '-out', this.certificate(file), '-days', '2'];
    execFileSync('openssl', ['req', '-x509', ...key, '-nodes', ...subject, ...files], {
      stdio: 'ignore',
    });
  }

  certificate(file: string): string {
    return join(this.folder, `${file}.pem`);
  }

  key(file: string): string {
    return join(this.folder, `${file}.key`);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
