import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { MemoryRouter, useNavigate } from 'react-router-dom'
import { createQueryClient } from '../src/app/query-client.ts'
import { Router } from '../src/app/router.tsx'
import { ToastProvider } from '../src/components/notices/toast-provider.tsx'

const BackButton = () => {
  const navigate = useNavigate()
  return <button type="button" aria-label="Voltar do navegador" onClick={() => navigate(-1)} />
}

/** `queries` is its cache. */
export const renderApp = (path: string) => {
  const queries = createQueryClient()
  const shown = render(
    <MemoryRouter initialEntries={[path]}>
      <BackButton />
      <QueryClientProvider client={queries}>
        <ToastProvider>
          <Router />
        </ToastProvider>
      </QueryClientProvider>
    </MemoryRouter>,
  )
  return { ...shown, queries }
}
