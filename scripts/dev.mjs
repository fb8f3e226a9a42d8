import { once } from 'node:events'
import { buildLocal } from './builds/builds.mjs'
import { bundleOptions } from './builds/bundle.mjs'
import { command } from './running/command.mjs'
import { endOfLife } from './running/end-of-life.mjs'
import { runChild } from './running/run-child.mjs'
import { withMutex } from './running/setup-mutex.mjs'
import { setup } from './setup.mjs'

const outfile = 'deploy/dist/dev.js'

const bundleOnChange = async (changes) => {
  const { context } = await import('esbuild')
  const options = bundleOptions('local', outfile)
  const notifyOfChanges = {
    name: 'notify-of-changes',
    setup({ onEnd }) {
      onEnd(({ errors }) => {
        if (errors.length === 0) changes.dispatchEvent(new Event('change'))
      })
    },
  }
  const bundler = await context({ ...options, plugins: [...options.plugins, notifyOfChanges] })
  await bundler.watch()
}

/** The old host ends first, as both need the same port and database. */
const runHost = async (changes) => {
  while (!endOfLife.aborted) {
    const changed = new AbortController()
    changes.addEventListener('change', () => changed.abort(), { once: true })
    await runChild([outfile], changed.signal)
    if (endOfLife.aborted) return
    if (!changed.signal.aborted) {
      console.log('The host ended; it starts again when a source changes.')
      await once(changed.signal, 'abort', { signal: endOfLife })
    }
    console.log('A source changed, starting again…')
  }
}

await command(async () => {
  await setup()
  await withMutex(buildLocal)
  const changes = new EventTarget()
  const bundled = once(changes, 'change', { signal: endOfLife })
  await bundleOnChange(changes)
  await bundled
  const [code] = await Promise.all([runChild(['scripts/dev-web.mjs']), runHost(changes)])
  return code
})
