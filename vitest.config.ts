import { statSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const major = Number(process.versions.node.split('.')[0])

/**
 * Tests make much garbage that is soon dead, and run most of their code a few times: V8 collects less, and optimizes only what is
 * asked for fifteen times as much as it would. That saves a twentieth of the processor's time here, in the web tests a tenth.
 * Node 24 has no such option any more, and ends where it is given one.
 */
const workerFlags = ['--max-semi-space-size=64', ...(major < 24 ? ['--interrupt-budget=1000000'] : [])]

const longTimeouts = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 30_000 } } }

/** What takes long begins first, and the files of a project follow each other: only so do they share a worker. */
const order = [
  '/deploy/browser/',
  '/deploy/test/',
  // Thirteen seconds, in which it mostly waits.
  '/projections/src/consistency/equals-the-fold',
  '/services/',
  '/projections/',
  '/contracts/',
  // They wait for the next look at the server, ten, five and two seconds: at the end everybody would wait with them.
  '/web/src/features/settings/connections/',
  '/web/src/features/dashboard/',
  '/web/src/features/live-chat/banners/live-chat-banners',
  '/web/src/components/voice-recorder',
  '/web/',
]

/** Walks of minutes, of which `npm run test:long` takes all; what they show stands in shorter tests of its parts too. */
const longWalks = process.env.PROSA_LONG
  ? []
  : [
      'deploy/browser/burst.test.ts',
      'deploy/browser/cluster.test.ts',
      'deploy/browser/full-storage.test.ts',
      'deploy/browser/restarts.test.ts',
      'deploy/test/killed-cluster.test.ts',
      'deploy/test/killed-runs.test.ts',
      'deploy/test/many-numbers.test.ts',
    ]

/** `npm run test:long mutations` names them, the nearest to a fault first: most faults are noticed by one of the first few. */
const inOrder = process.env.PROSA_TESTS_IN_ORDER?.split(',')

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    if (inOrder) {
      const turn = ({ moduleId }: TestSpecification) => inOrder.findIndex((file) => moduleId.endsWith(`/${file}`))
      return files.toSorted((a, b) => turn(a) - turn(b))
    }
    const place = ({ moduleId }: TestSpecification) => order.findIndex((part) => moduleId.includes(part))
    const size = ({ moduleId }: TestSpecification) => statSync(moduleId).size
    return files.toSorted((a, b) => place(a) - place(b) || size(b) - size(a))
  }
}

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          include: ['{contracts,projections,services,deploy}/**/*.test.ts'],
          exclude: ['**/{node_modules,dist}/**', ...longWalks],
          // Importing Baileys, zod and the database's driver anew for every file would take a quarter of the time.
          isolate: false,
          execArgv: workerFlags,
          ...longTimeouts,
        },
      },
      'web',
    ],
    sequence: { sequencer: LongestFirst },
    globalSetup: ['deploy/test/vitest-global-setup.ts'],
  },
})
