import { createServer } from 'vite'
import { inRoot } from './root.mjs'

const server = await createServer({ root: inRoot('web'), mode: 'simulator', clearScreen: false })
process.once('SIGTERM', async () => {
  await server.close()
  process.exit(0)
})
await server.listen()
console.log(`The web app with hot replacement: open ${server.resolvedUrls?.local[0]}`)
