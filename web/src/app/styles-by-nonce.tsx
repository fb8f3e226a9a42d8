import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import type { ReactNode } from 'react'

/** The content security policy requires this reply's nonce, which the server writes into index.html. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce

/** MUI expects the key `css`. */
const cache = createCache({ key: 'css', nonce })

export const StylesByNonce = ({ children }: { children: ReactNode }) => (
  <CacheProvider value={cache}>{children}</CacheProvider>
)
