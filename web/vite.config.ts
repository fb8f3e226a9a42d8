import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { emojiData } from './emoji-data.ts'
import { materialIcons } from './material-icons.ts'

/** What only dialogs, menus and charts have: shared with the rest, they would have to be there before live chat can be used. */
const muiLater =
  /@mui\/material\/(Dialog\w*|InputBase|OutlinedInput|TextareaAutosize|Menu\w*|Popover|List\w*|Grow|Divider|ToggleButton\w*|LinearProgress|FormControlLabel|Switch|internal\/SwitchBase)/
const oursLater =
  /components\/(confirm-dialog|copy-button|row-menu|data-table|table-toolbar|choice-group|select-field|status-badge|notice|confirm-email-notice|export-data|label-chip)\.|icons\/ic\/round-check-box|lib\/(table-density|use-address-filter|use-paged-list|transaction-words|send-confirmation)\./
const openedLater = (module: string) => muiLater.test(module) || oursLater.test(module)
/** What visitors load, a file of its own: grouped with what the screens behind the sign-in share, it would bring MUI along. */
const forVisitors =
  /features\/welcome\/(api|register-form|check-registration)\.|components\/(field|field-frame|form-summary|password-field|logo)\./

/** Small packages that MUI, too, stands on. */
const libraries =
  /node_modules\/(clsx|react-is|react-transition-group|@tanstack|jotai|stylis|@babel\/runtime|hoist-non-react-statics)\//
/** Ours without MUI. What needs the socket is left to the screens behind the sign-in. */
const lib = /web\/src\/lib\/(?!socket|line-trouble|data-export|labels\.)|contracts\/src\//
const mui = /node_modules\/@(mui|emotion)\//
const components = /web\/src\/components\/|icons\/ic\//

/** Of a floor, what the first screen may need. */
const atOnce = (floor: RegExp) => (module: string) =>
  floor.test(module) && !openedLater(module) && !forVisitors.test(module)

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
              // Floors, each of which imports only those before it: so no two files need each other.
              { name: 'libraries', test: libraries, minShareCount: 3, includeDependenciesRecursively: false },
              { name: 'mui', test: atOnce(mui), minShareCount: 3, includeDependenciesRecursively: false },
              { name: 'lib', test: lib, minShareCount: 3, includeDependenciesRecursively: false },
              { name: 'components', test: atOnce(components), minShareCount: 3, includeDependenciesRecursively: false },
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
