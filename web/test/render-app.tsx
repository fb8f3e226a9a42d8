import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { MemoryRouter, type NavigateFunction, useLocation, useNavigate } from 'react-router-dom'
import { createQueryClient } from '../src/app/query-client.ts'
import { Router } from '../src/app/router.tsx'
import { ToastProvider } from '../src/components/notices/toast-provider.tsx'

let navigateTo: NavigateFunction | undefined

/** Waits for nothing. */
export const goTo = (address: string): void => act(() => void navigateTo?.(address))

const BackButton = () => {
  const navigate = useNavigate()
  navigateTo = navigate
  const { pathname, search } = useLocation()
  return (
    <button
      type="button"
      aria-label="Voltar do navegador"
      data-address={pathname + search}
      onClick={() => navigate(-1)}
    />
  )
}

/** Path and search. */
export const addressNow = (): string | undefined => screen.getByLabelText('Voltar do navegador').dataset.address

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
