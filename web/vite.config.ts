import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { materialIcons } from './material-icons.ts'

/** Mode `simulator` adds the page with the simulated phones, which a production build must not contain. */
export default defineConfig(({ mode }) => {
  const server = `http://127.0.0.1:${process.env.PROSA_PORT ?? 3000}`
  return {
    plugins: [react(), materialIcons()],
    build: {
      outDir: mode === 'simulator' ? 'dist/simulator' : 'dist/production',
      rolldownOptions: {
        // The browser takes types and header names from the contracts, never their schemas: zod stays out of the bundle.
        treeshake: { manualPureFunctions: ['z'] },
      },
    },
    server: {
      proxy: { '/api': server, '/socket.io': { target: server, ws: true } },
    },
  }
})
