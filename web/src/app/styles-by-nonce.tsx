import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import type { ReactNode } from 'react'

/** The server allows only `<style>` elements that carry the nonce of this one reply, which it writes into index.html. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce

/** Emotion names its elements after the key; `css` is what MUI expects. */
const cache = createCache({ key: 'css', nonce })

/** MUI writes its styles into the page: they carry the nonce, without which the content security policy refuses them. */
export const StylesByNonce = ({ children }: { children: ReactNode }) => (
  <CacheProvider value={cache}>{children}</CacheProvider>
)
