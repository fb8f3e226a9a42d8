import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ToastProvider } from '../components/notices/toast-provider.tsx'

/** The MUI theme and the socket come with the signed-in shell. */
export const Providers = ({ queries, children }: { queries: QueryClient; children: ReactNode }) => (
  <QueryClientProvider client={queries}>
    <ToastProvider>{children}</ToastProvider>
  </QueryClientProvider>
)
