import { readdirSync } from 'node:fs'
import { inRoot } from './root.mjs'

export const services = () => readdirSync(inRoot('services')).map((name) => `services/${name}`)

export const workspaces = () => ['contracts', 'projections', 'web', 'deploy', ...services()]
