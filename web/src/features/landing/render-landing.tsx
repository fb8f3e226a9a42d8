import { renderToStaticMarkup } from 'react-dom/server'
import { StaticRouter } from 'react-router-dom'
import { isAppPath } from '../../lib/paths.ts'
import { LandingPage, type LandingPageProps } from './landing-page.tsx'

export { isAppPath }

export interface LandingDocument extends LandingPageProps {
  style: string
  /** `font-display: optional`: the font is used only if loaded at once, so that no line moves. */
  fontUrl: string
  /** The public address, for link previews; null if unknown. */
  origin: string | null
}

const title = 'Prosa: o atendimento do seu negócio no WhatsApp'
const description =
  'Reúna as conversas do WhatsApp do seu negócio em uma fila só, em equipe e sem perder mensagem. Teste gratuito por 10 dias, sem cartão.'

const fontFace = (url: string) =>
  `@font-face{font-family:"Inter Variable";src:url(${url}) format("woff2");font-weight:100 900;font-display:optional}`

/** Exported because the content security policy allows it by hash. */
export const landingStyle = ({ style, fontUrl }: Pick<LandingDocument, 'style' | 'fontUrl'>): string =>
  fontFace(fontUrl) + style

export const renderLanding = ({ style, fontUrl, origin, ...page }: LandingDocument): string => {
  const document = renderToStaticMarkup(
    <html lang="pt-BR">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#F6F5F1" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#121413" />
        <title>{title}</title>
        <meta name="description" content={description} />
        <meta property="og:type" content="website" />
        <meta property="og:locale" content="pt_BR" />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={description} />
        {origin && <meta property="og:url" content={`${origin}/`} />}
        {origin && <meta property="og:image" content={`${origin}/landing/live-chat-light.webp`} />}
        <link rel="icon" href="/prosa.svg" type="image/svg+xml" />
        <link rel="preload" href={fontUrl} as="font" type="font/woff2" crossOrigin="anonymous" />
        <style>{landingStyle({ style, fontUrl })}</style>
      </head>
      <body>
        <StaticRouter location="/">
          <LandingPage {...page} />
        </StaticRouter>
      </body>
    </html>,
  )
  return `<!doctype html>${document}`
}
