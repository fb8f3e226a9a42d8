import { buildProduction } from './builds.mjs'
import { command } from './command.mjs'
import { setup } from './setup.mjs'
import { withMutex } from './setup-mutex.mjs'

/** Also called by deploy/Dockerfile. */
await command(async () => {
  await setup()
  await withMutex(buildProduction)
  console.log('Ready: web/dist/production and deploy/dist/all-in-one.js; each service alone: deploy/dist/services')
})
