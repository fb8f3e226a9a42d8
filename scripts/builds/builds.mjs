import { buildLanding } from './build-landing.mjs'
import { buildWeb } from './build-web.mjs'
import { bundleHost, bundleMains, bundleReplay } from './bundle.mjs'

export const buildLocal = () => Promise.all([buildWeb('simulator'), buildLanding(), bundleHost('local')])

export const buildCluster = () =>
  Promise.all([buildWeb('simulator'), buildLanding(), bundleHost('cluster'), bundleHost('local-service')])

export const buildProduction = () =>
  Promise.all([
    buildWeb('production'),
    buildLanding(),
    bundleHost('all-in-one'),
    bundleHost('web'),
    bundleHost('back-up'),
    bundleHost('restore'),
    bundleHost('move-log'),
    bundleHost('verify-export'),
    bundleHost('verify-log'),
    bundleHost('backfill'),
    bundleMains(),
    bundleReplay(),
  ])
