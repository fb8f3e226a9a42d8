import { buildWeb } from './build-web.mjs'
import { bundleHost } from './bundle.mjs'

/** What `npm start` runs: the web app with the simulated phones, and the local host. */
export const buildLocal = () => Promise.all([buildWeb('simulator'), bundleHost('local')])

/** What production runs: the web app without them, and the host that serves it. */
export const buildProduction = () => Promise.all([buildWeb('production'), bundleHost('all-in-one')])
