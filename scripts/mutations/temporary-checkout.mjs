import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inRoot } from '../root.mjs'

const git = (...args) =>
  execFileSync('git', args, { cwd: inRoot(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** Links to our workspaces are relative and lead into the checkout. */
const linkModules = (from, to) => {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    if (name.startsWith('.')) continue
    if (name !== '@prosa') {
      symlinkSync(join(from, name), join(to, name))
      continue
    }
    mkdirSync(join(to, name))
    for (const own of readdirSync(join(from, name)))
      symlinkSync(readlinkSync(join(from, name, own)), join(to, name, own))
  }
}

const installed = () =>
  execFileSync('git', ['ls-files', 'package.json', '*/package.json'], { cwd: inRoot(), encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((path) => join(dirname(path), 'node_modules'))

export const temporaryCheckout = () => {
  const folder = mkdtempSync(join(tmpdir(), 'prosa-mutations-'))
  // PostgreSQL never runs as root.
  chmodSync(folder, 0o755)
  git('worktree', 'add', '--detach', folder, 'HEAD')
  for (const modules of installed()) {
    try {
      linkModules(inRoot(modules), join(folder, modules))
    } catch (error) {
      if (error.code !== 'ENOENT') throw error
    }
  }
  return {
    folder,
    remove() {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
      git('worktree', 'prune')
    },
  }
}

export const filesOf = (folder) =>
  execFileSync('git', ['ls-files', '*.ts'], { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 })
    .trim()
    .split('\n')
