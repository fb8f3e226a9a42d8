import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { emojiData } from './emoji-data.ts'
import { materialIcons } from './material-icons.ts'

/** What only dialogs and menus have: shared with the rest, they would have to be there before live chat can be used. */
const openedLater =
  /@mui\/material\/(Dialog\w*|InputBase|OutlinedInput|TextareaAutosize)\/|components\/(confirm-dialog|copy-button)\./
/** What visitors load, a file of its own: grouped with what the screens behind the sign-in share, it would bring MUI along. */
const welcome = /features\/welcome\//
const forVisitors = /features\/welcome\/api\.|components\/(field|field-frame|form-summary|password-field)\./

/** Mode `simulator` adds the page with the simulated phones, which a production build must not contain. */
export default defineConfig(({ mode }) => {
  const server = `http://127.0.0.1:${process.env.PROSA_PORT ?? 3000}`
  return {
    plugins: [react(), materialIcons(), emojiData()],
    build: {
      outDir: mode === 'simulator' ? 'dist/simulator' : 'dist/production',
      rolldownOptions: {
        // The browser takes types and header names from the contracts, never their schemas: zod stays out of the bundle.
        treeshake: { manualPureFunctions: ['z'] },
        // Without it each set of pages that share something has a file of its own: live chat began with thirty, many below 1 kB.
        output: {
          codeSplitting: {
            groups: [
              { name: 'page', tags: ['$initial'], priority: 2 },
              { name: 'forms', test: forVisitors, priority: 1, includeDependenciesRecursively: false },
              {
                name: 'shared',
                test: (module) => ![openedLater, welcome, forVisitors].some((one) => one.test(module)),
                minShareCount: 3,
                entriesAware: true,
                entriesAwareMergeThreshold: 60_000,
              },
            ],
          },
        },
      },
    },
    server: {
      proxy: { '/api': server, '/socket.io': { target: server, ws: true } },
    },
  }
})
