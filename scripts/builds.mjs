import { buildLanding } from './build-landing.mjs'
import { buildWeb } from './build-web.mjs'
import { bundleHost, bundleMains } from './bundle.mjs'

/** What `npm start` runs: the web app with the simulated phones, and the local host. */
export const buildLocal = () => Promise.all([buildWeb('simulator'), buildLanding(), bundleHost('local')])

/** What production runs: the web app without them, the host that serves it, and each service alone. */
export const buildProduction = () =>
  Promise.all([buildWeb('production'), buildLanding(), bundleHost('all-in-one'), bundleMains()])
