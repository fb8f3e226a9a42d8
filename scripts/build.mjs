import { buildProduction } from './builds.mjs'
import { command } from './command.mjs'
import { setup } from './setup.mjs'
import { withLock } from './setup-lock.mjs'

/** Also called by deploy/Dockerfile. */
await command(async () => {
  await setup()
  await withLock(buildProduction)
  console.log('Ready: web/dist/production and deploy/dist/all-in-one.js; each service alone: deploy/dist/services')
})
