import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { createQueryClient } from '../src/app/query-client.ts'
import { Router } from '../src/app/router.tsx'
import { ToastProvider } from '../src/lib/toast.tsx'

/** The whole application at an address, as a browser would open it. */
export const renderApp = (path: string) =>
  render(
    <MemoryRouter initialEntries={[path]}>
      <QueryClientProvider client={createQueryClient()}>
        <ToastProvider>
          <Router />
        </ToastProvider>
      </QueryClientProvider>
    </MemoryRouter>,
  )
