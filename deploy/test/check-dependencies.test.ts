import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const {
  checkDependencies,
  cyclesIn,
  faultsIn,
}: {
  checkDependencies: () => string[]
  cyclesIn: (imports: Map<string, string[]>) => string[][]
  faultsIn: (workspace: string, file: string, source: string) => string[]
} = await import(join(import.meta.dirname, '../../scripts/check-dependencies.mjs'))

const faultsOf = (file: string, from: string): string[] => {
  const workspace = /^services\/[^/]+|^[^/]+/.exec(file)?.[0] ?? ''
  return faultsIn(workspace, file, `import { a } from '${from}'\nexport const b = a\n`)
}

const above = 'which is above it in the kernel'

const layers = [
  'clock.ts',
  'async/keyed-queue.ts',
  'postgres/pool.ts',
  'observability/log.ts',
  'privacy/secret-box.ts',
  'event-store/codec.ts',
  'files/port.ts',
  'domain/decider.ts',
  'consumers/queries.ts',
  'http/app.ts',
  'ports.ts',
  'operations/operations.ts',
  'host.ts',
  'process/open-ports.ts',
]

const sessionsLayers = [
  'timings.ts',
  'domain/line.ts',
  'handlers.ts',
  'leases/lease-keeper.ts',
  'outbox/outbox.ts',
  'gateway/gateway.ts',
  'media/media.ts',
  'connection/routes.ts',
  'line/sender.ts',
  'sessions.ts',
  'wire-sessions.ts',
]

const relativeTo = (file: string, from: string) => `${file.includes('/') ? '../' : './'}${from}`

describe('the direction of imports', () => {
  it('is kept everywhere', () => {
    expect(checkDependencies()).toEqual([])
  })

  it.each(layers.slice(1).map((layer, index) => [layers[index] ?? '', layer]))(
    'goes down in the kernel: %s does not import %s, and may be imported by it',
    (lower, upper) => {
      const [low, high] = [`services/kernel/src/${lower}`, `services/kernel/src/${upper}`]
      expect(faultsOf(high, relativeTo(upper, lower))).toEqual([])
      const areOneLayer = upper.startsWith('async/')
      expect(faultsOf(low, relativeTo(lower, upper))).toEqual(areOneLayer ? [] : [`${low} imports ${high}, ${above}`])
    },
  )

  it('goes down for types, side effects, re-exports and what is imported later, too', () => {
    const file = 'services/kernel/src/postgres/pool.ts'
    const fault = `${file} imports services/kernel/src/http/app.ts, ${above}`
    for (const source of [
      "import type { A } from '../http/app.ts'",
      "import '../http/app.ts'",
      "export { a } from '../http/app.ts'",
      "export const a = () => import('../http/app.ts')",
    ])
      expect(faultsIn('services/kernel', file, source)).toEqual([fault])
  })

  it('may go up in tests, which nothing else imports', () => {
    expect(faultsOf('services/kernel/src/postgres/pool.test.ts', '../http/app.ts')).toEqual([])
    expect(faultsOf('services/kernel/src/testing/test-ports.ts', '../http/app.ts')).toEqual([])
    expect(faultsOf('services/kernel/src/host.ts', './testing/until.ts')).toEqual([
      'services/kernel/src/host.ts imports services/kernel/src/testing/until.ts, which is for tests',
    ])
  })

  it('goes down between the folders of projections, and not sideways', () => {
    const notBelow = 'which is not below it in projections'
    const [contacts, messages] = ['contact-list/queries.ts', 'chat-messages/queries.ts']
    expect(faultsOf(`projections/src/${messages}`, `../${contacts}`)).toEqual([])
    for (const [file, from, target] of [
      [contacts, '../chat-messages/queries.ts', messages],
      ['labels/projection.ts', '../quick-replies/queries.ts', 'quick-replies/queries.ts'],
      ['page.ts', './labels/queries.ts', 'labels/queries.ts'],
      ['export/copies.ts', '../projections.ts', 'projections.ts'],
    ] as const)
      expect(faultsOf(`projections/src/${file}`, from)).toEqual([
        `projections/src/${file} imports projections/src/${target}, ${notBelow}`,
      ])
    expect(faultsOf('projections/src/attic/queries.ts', '../page.ts')).toEqual([
      'projections/src/attic/queries.ts is on no layer: name its folder in scripts/check-dependencies.mjs',
    ])
  })

  it('names a folder of the kernel that is on no layer', () => {
    expect(faultsOf('services/kernel/src/attic/box.ts', '../clock.ts')).toEqual([
      'services/kernel/src/attic/box.ts is on no layer: name its folder in scripts/check-dependencies.mjs',
    ])
  })

  it.each(sessionsLayers.slice(1).map((layer, index) => [sessionsLayers[index] ?? '', layer]))(
    'goes down in sessions: %s does not import %s, and may be imported by it',
    (lower, upper) => {
      const [low, high] = [`services/sessions/src/${lower}`, `services/sessions/src/${upper}`]
      expect(faultsOf(high, relativeTo(upper, lower))).toEqual([])
      expect(faultsOf(low, relativeTo(lower, upper))).toEqual([`${low} imports ${high}, which is in a layer above it`])
    },
  )

  it('may go up in tests of sessions, and names a folder that is in no layer', () => {
    expect(faultsOf('services/sessions/src/outbox/outbox.test.ts', '../line/sender.ts')).toEqual([])
    expect(faultsOf('services/sessions/src/line/sender.ts', '../testing/shop.ts')).toEqual([
      'services/sessions/src/line/sender.ts imports services/sessions/src/testing/shop.ts, which is for tests',
    ])
    expect(faultsOf('services/sessions/src/attic/box.ts', '../timings.ts')).toEqual([
      'services/sessions/src/attic/box.ts is on no layer: name its folder in scripts/check-dependencies.mjs',
    ])
  })

  it.each([
    ['contracts/src/values/phone.ts', '@prosa/kernel/clock', 'which contracts may not'],
    ['services/kernel/src/clock.ts', '@prosa/contacts/contacts', 'which services/kernel may not'],
    ['services/kernel/src/ports.ts', '@prosa/product/ports', 'which services/kernel may not'],
    ['services/kernel/src/ports.ts', '@prosa/contracts/http/accounts/usage', 'the kernel knows no product'],
    ['services/kernel/src/budgets.ts', '@prosa/contracts/values/plan', 'the kernel knows no product'],
    ['services/product/src/ports.ts', '@prosa/projections/read-side', 'which services/product may not'],
    ['services/contacts/src/contacts.ts', '@prosa/sessions/sessions', 'which services/contacts may not'],
    ['services/contacts/src/contacts.ts', '@prosa/projections/read-side', 'which services/contacts may not'],
    ['services/contacts/src/main.ts', '@prosa/sessions/sessions', 'which services/contacts may not'],
    ['services/contacts/src/main.ts', '@prosa/deploy/all-services', 'which services/contacts may not'],
    ['projections/src/projections.ts', '@prosa/identity/identity', 'which projections may not'],
    ['web/src/lib/api.ts', '@prosa/kernel/clock', 'which web may not'],
    ['web/src/features/simulator/api.ts', '@prosa/sandbox/simulator/simulator', 'which web may not'],
    ['deploy/src/all-services.ts', '@prosa/contacts/main', 'which starts a process'],
    [
      'services/contacts/src/contacts.ts',
      '@prosa/kernel/event-store/memory',
      "only main.ts files, deploy and the kernel's process/ choose adapters",
    ],
  ])('refuses that %s imports %s', (file, from, why) => {
    const [fault = '', ...more] = faultsOf(file, from)
    expect(more).toEqual([])
    expect(fault).toContain(`${file} imports ${from}`)
    expect(fault).toContain(why)
  })

  it.each([
    ['web/src/lib/account/flows.ts', '../../components/status-dot.tsx', 'which stands above it'],
    ['web/src/components/notices/toast-region.tsx', '../../app/theme.ts', 'which stands above it'],
    ['web/src/features/help/help-page.tsx', '../../app/theme.ts', 'which stands above it'],
    ['web/src/features/help/help-page.tsx', '../billing/api.ts', 'no feature imports another'],
    ['web/src/lib/account/flows.ts', '../../features/help/api.ts', 'features are imported by app/router only'],
    ['web/src/app/app-shell.tsx', '../features/help/api.ts', 'features are imported by app/router only'],
  ])('refuses that %s goes up or sideways to %s', (file, from, why) => {
    expect(faultsOf(file, from)).toEqual([expect.stringContaining(why)])
  })

  it("lets the web's layers go down, its router reach features, and tests go up", () => {
    expect(faultsOf('web/src/components/notices/toast-region.tsx', '../../lib/toast.ts')).toEqual([])
    expect(faultsOf('web/src/features/help/help-page.tsx', './api.ts')).toEqual([])
    expect(faultsOf('web/src/app/router.tsx', '../features/help/help-page.tsx')).toEqual([])
    expect(faultsOf('web/src/app/analyst-routes.tsx', '../features/help/help-page.tsx')).toEqual([])
    expect(faultsOf('web/src/lib/realtime/socket.test.tsx', '../../app/query-client.ts')).toEqual([])
  })

  it('lets what puts a process together import the read models, and deploy everything', () => {
    expect(faultsOf('services/contacts/src/main.ts', '@prosa/projections/read-side')).toEqual([])
    expect(faultsOf('services/identity/src/wire-identity.ts', '@prosa/projections/account/queries')).toEqual([])
    expect(faultsOf('deploy/src/all-services.ts', '@prosa/contacts/contacts')).toEqual([])
  })

  it('refuses that the kernel chooses an adapter below process/', () => {
    expect(faultsOf('services/kernel/src/host.ts', './event-store/postgres.ts')).toEqual([
      "services/kernel/src/host.ts imports services/kernel/src/event-store/postgres.ts: only main.ts files, deploy and the kernel's " +
        'process/ choose adapters',
    ])
    expect(faultsOf('services/kernel/src/process/open-ports.ts', '../event-store/postgres.ts')).toEqual([])
  })
})

describe('files that import each other', () => {
  it('are found across folders, workspaces and kinds of files, each cycle once', () => {
    const imports = new Map([
      ['web/src/app/main.tsx', ['react', './page', '../lib/colours.ts']],
      ['web/src/app/page.tsx', ['../lib/colours.ts', './main.tsx', './page.css']],
      ['web/src/lib/colours.ts', ['@prosa/contracts/colour']],
      ['contracts/src/colour.ts', ['zod', './shade.ts']],
      ['contracts/src/shade.ts', ['./colour.ts', '@prosa/kernel/light']],
      ['services/kernel/src/light.ts', ['@prosa/contracts/shade', './light.ts']],
      ['scripts/a.mjs', ['./b.mjs']],
      ['scripts/b.mjs', ['node:fs']],
    ])
    expect(cyclesIn(imports)).toEqual([
      ['contracts/src/colour.ts', 'contracts/src/shade.ts'],
      ['contracts/src/shade.ts', 'services/kernel/src/light.ts'],
      ['services/kernel/src/light.ts'],
      ['web/src/app/main.tsx', 'web/src/app/page.tsx'],
    ])
  })

  it('are none where many import the same', () => {
    const imports = new Map([
      ['scripts/a.mjs', ['./b.mjs', './c.mjs']],
      ['scripts/b.mjs', ['./d.mjs']],
      ['scripts/c.mjs', ['./d.mjs', './b.mjs']],
      ['scripts/d.mjs', []],
    ])
    expect(cyclesIn(imports)).toEqual([])
  })
})
