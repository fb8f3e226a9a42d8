import { buildProduction } from './builds/builds.mjs'
import { command } from './running/command.mjs'
import { withMutex } from './running/setup-mutex.mjs'
import { setup } from './setup.mjs'

/** Also called by deploy/Dockerfile. */
await command(async () => {
  await setup()
  await withMutex(buildProduction)
  console.log('Ready: web/dist/production and deploy/dist/all-in-one.js; each service alone: deploy/dist/services')
})
