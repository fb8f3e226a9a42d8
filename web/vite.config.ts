import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Rolldown } from 'vite'
import { emojiData } from './emoji-data.ts'
import { materialIcons } from './material-icons.ts'

const firstScreen = ['main.tsx', 'app/app-shell.tsx', 'features/live-chat/live-chat-page.tsx'].map((path) =>
  join(import.meta.dirname, 'src', path),
)

type Naming = Rolldown.CodeSplittingNameFunction

/** MUI exports it beside the theme; unused. */
const notUsed = /styles\/enhanceHighContrast\./

const withImports = (roots: readonly string[], graph: Parameters<Naming>[1]): Set<string> => {
  const found = new Set(roots)
  for (const module of found) {
    const imported = graph.getModuleInfo(module)?.importedIds ?? []
    for (const id of imported) if (!notUsed.test(id)) found.add(id)
  }
  return found
}

let neededAtOnce: Set<string> | undefined
let neededByConversations: Set<string> | undefined

/** Of live chat, with what the past shares of it: a file each would be ten more to fetch. All of them, so that none imports it back. */
const conversation: Naming = (module, graph) => {
  neededByConversations ??= withImports(firstScreen.slice(-1), graph)
  return neededByConversations.has(module) ? 'conversation' : null
}

/** Other modules in these chunks would have to load at once too. */
const atOnce =
  (name: string): Naming =>
  (module, graph) => {
    neededAtOnce ??= withImports(firstScreen, graph)
    return neededAtOnce.has(module) ? name : null
  }

/** Merged with code of the signed-in screens it would load MUI. */
const forVisitors =
  /features\/welcome\/(api|register-form|check-registration)\.|components\/forms\/(field|field-frame|form-summary|password-field)\.|lib\/forms\/(focus-first-refused|use-form)\./

const libraries =
  /node_modules\/(clsx|react-is|react-transition-group|@tanstack|jotai|stylis|@babel\/runtime|hoist-non-react-statics)\//
const lib =
  /web\/src\/lib\/(?!realtime\/socket|own-history-address|past-addresses|format\/whole-time|forms\/use-address-sorting|http\/(data-export|search-page)|account\/(accept-terms|connections|contact-fields|labels|flows|queue-address|quick-replies|usage|waiting)\.)|components\/(\w+\/)?logo\.|contracts\/src\/(?!flows\/|values\/(correction-limits\.|plan\.|text\/(filled-text|plain-text|readable-text)\.|answers\/))/
const mui = /node_modules\/@(mui|emotion)\//
const components = /web\/src\/components\/|icons\/ic\//
const screenParts =
  /components\/(\w+\/)?(card-grid|page-frame|page-heading|panel|spinner|text-area-field)\.|icons\/ic\/|web\/src\/lib\/(\w+\/)?(clamped-to|send-confirmation|table-density|use-address-filter|use-paged-list)\./

/** Each a few hundred bytes, of two screens: a file of their own would be one more to fetch. */
const smallParts =
  /\/(accept-terms|alert-choice|close-on-escape|contact-fields|filled-text|list-filter|media-limits|quick-replies|send-button|skip-link|usage|use-now|values\/plan|waiting)\.tsx?$|ic\/round-send|values\/answers\/(?!calculate\.|read-number\.)/

const formParts =
  /\/(admin-section|choice-group|colour-choice|company|company-name-field|confirm-email|close-actions|code-block|code-text|copy-button|day-filters|label-chips?|label-colour|label-form-dialog|local-time|node-name|queue-address|row-menu|erasure-word|reason-field|removal-button|row-choice|save-label|select-field|components\/status-badge|support|support-address|transaction-words|use-address-sorting|use-admin-command|use-own-history|webhooks-query|why-button)\.tsx?$/

const historyParts =
  /components\/(history\/(?!own\/(own-history-drawer|use-own-history))|past\/|why\/(own-why|why-row)\.)|lib\/(own-history-address|past-addresses|format\/whole-time)\.|past\/past-records\./

const shared = { minShareCount: 3, includeDependenciesRecursively: false }

/** `simulator` adds the simulated phones, which production must not contain. */
export default defineConfig(({ mode }) => {
  const server = `http://127.0.0.1:${process.env.PROSA_PORT ?? 3000}`
  return {
    plugins: [react(), materialIcons(), emojiData()],
    build: {
      outDir: mode === 'simulator' ? 'dist/simulator' : 'dist/production',
      rolldownOptions: {
        // Keeps zod out of the bundle.
        treeshake: { manualPureFunctions: ['z'] },
        // Without it live chat began with thirty files.
        output: {
          codeSplitting: {
            groups: [
              { name: 'page', tags: ['$initial'], priority: 2 },
              { name: 'forms', test: forVisitors, priority: 1, includeDependenciesRecursively: false },
              // Each imports only from groups before it: no cycles.
              { name: 'libraries', test: libraries, ...shared },
              { name: atOnce('mui'), debugName: 'mui', test: mui, ...shared },
              { name: atOnce('lib'), debugName: 'lib', test: lib, ...shared },
              { name: atOnce('components'), debugName: 'components', test: components, ...shared },
              { name: 'screen-parts', test: screenParts, ...shared },
              { name: 'history-parts', test: historyParts, ...shared, minShareCount: 2 },
              { name: 'form-parts', test: formParts, ...shared, minShareCount: 2 },
              {
                name: conversation,
                debugName: 'conversation',
                test: /web\/src\/features\/live-chat\/|http\/search-page\.|values\/correction-limits/,
                ...shared,
                minShareCount: 2,
              },
              { name: 'small-parts', test: smallParts, ...shared, minShareCount: 2 },
              {
                name: 'flow-parts',
                test: /web\/src\/features\/flow-editor\/(?!canvas\/)/,
                ...shared,
                minShareCount: 2,
              },
            ],
          },
        },
      },
    },
    server: {
      proxy: { '/api': server, '/terms': server, '/privacy': server, '/socket.io': { target: server, ws: true } },
    },
  }
})
