import type { Service } from '@prosa/kernel/ports'
import { passwords } from './passwords.ts'
import { identityRoutes } from './routes.ts'

/** Users, passwords and browser sessions. */
export const identity: Service = {
  name: 'identity',
  async mount(ports) {
    return { routes: identityRoutes(ports, await passwords(ports.secrets)) }
  },
}
