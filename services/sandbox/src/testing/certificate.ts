import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Certificate } from '../server/media.ts'

/** Whether this machine can make certificates; uploads by clients cannot be tested without one. */
export function hasOpenssl(): boolean {
  const found = spawnSync('openssl', ['version']).status === 0
  if (!found) console.log('skipped: uploads need `openssl` on the PATH for a certificate of 127.0.0.1')
  return found
}

/** A throw-away TLS certificate for 127.0.0.1. Throws without openssl. */
export function makeCertificate(): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'prosa-tls-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  try {
    const files = ['-keyout', key, '-out', cert]
    execFileSync('openssl', ['req', '-x509', ...curve, '-days', '30', ...subject, ...files], { stdio: 'ignore' })
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
