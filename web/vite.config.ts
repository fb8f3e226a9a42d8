import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Rolldown } from 'vite'
import { emojiData } from './emoji-data.ts'
import { materialIcons } from './material-icons.ts'

/** What is there before live chat can be used, with all that it imports at once; the rest waits for a press, or for the page to be idle. */
const firstScreen = ['main.tsx', 'app/app-shell.tsx', 'features/live-chat/live-chat-page.tsx'].map((path) =>
  join(import.meta.dirname, 'src', path),
)

type Naming = Rolldown.CodeSplittingNameFunction

/** MUI exports it beside the theme, with the names of every control; nobody uses it. */
const notUsed = /styles\/enhanceHighContrast\./

const withImports = (roots: readonly string[], graph: Parameters<Naming>[1]): Set<string> => {
  const found = new Set(roots)
  // A set goes on to what is added meanwhile.
  for (const module of found) {
    const imported = graph.getModuleInfo(module)?.importedIds ?? []
    for (const id of imported) if (!notUsed.test(id)) found.add(id)
  }
  return found
}

let neededAtOnce: Set<string> | undefined

/** Names a floor, for the modules of the first screen only: grouped with these, others would have to be there as well. */
const atOnce =
  (name: string): Naming =>
  (module, graph) => {
    neededAtOnce ??= withImports(firstScreen, graph)
    return neededAtOnce.has(module) ? name : null
  }

/** What visitors load, a file of its own: grouped with what the screens behind the sign-in share, it would bring MUI along. */
const forVisitors =
  /features\/welcome\/(api|register-form|check-registration)\.|components\/(field|field-frame|form-summary|password-field)\.|lib\/focus-first-refused\./

/** Small packages that MUI, too, stands on. */
const libraries =
  /node_modules\/(clsx|react-is|react-transition-group|@tanstack|jotai|stylis|@babel\/runtime|hoist-non-react-statics)\//
/** Ours without MUI. What needs the socket is left to the screens behind the sign-in, what flows are to those that show them. */
const lib =
  /web\/src\/lib\/(?!socket|line-trouble|data-export|labels\.|flows\.)|components\/logo\.|contracts\/src\/(?!flows\/)/
const mui = /node_modules\/@(mui|emotion)\//
const components = /web\/src\/components\/|icons\/ic\//
/** What most screens begin with, and live chat does not. */
const screenParts =
  /components\/(card-grid|page-frame|page-heading|panel|spinner|text-area-field)\.|icons\/ic\/|web\/src\/lib\/(clamped-to|send-confirmation|table-density|use-address-filter|use-paged-list)\./

const shared = { minShareCount: 3, includeDependenciesRecursively: false }

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
              { name: 'libraries', test: libraries, ...shared },
              { name: atOnce('mui'), debugName: 'mui', test: mui, ...shared },
              { name: atOnce('lib'), debugName: 'lib', test: lib, ...shared },
              { name: atOnce('components'), debugName: 'components', test: components, ...shared },
              { name: 'screen-parts', test: screenParts, ...shared },
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
