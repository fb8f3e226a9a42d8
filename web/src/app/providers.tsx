import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ToastProvider } from '../lib/toast.tsx'

/** What every screen needs, signed in or not. The MUI theme and the live line come with the signed-in shell. */
export const Providers = ({ queries, children }: { queries: QueryClient; children: ReactNode }) => (
  <QueryClientProvider client={queries}>
    <ToastProvider>{children}</ToastProvider>
  </QueryClientProvider>
)
