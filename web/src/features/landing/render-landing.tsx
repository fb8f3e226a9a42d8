import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { StaticRouter } from 'react-router-dom'
import { isAppPath } from '../../lib/paths.ts'
import { LandingPage, type LandingPageProps } from './landing-page.tsx'
import type { LegalFacts } from './legal/legal-page.tsx'
import { privacyDocument } from './legal/privacy-page.tsx'
import { termsDocument } from './legal/terms-page.tsx'

export { isAppPath }

interface Look {
  style: string
  /** `font-display: optional`: the font is used only if loaded at once, so that no line moves. */
  fontUrl: string
}

export interface LandingDocument extends LandingPageProps, Look {
  /** The public address, for link previews; null if unknown. */
  origin: string | null
}

const title = 'Prosa: o atendimento do seu negócio no WhatsApp'
const description =
  'Reúna as conversas do WhatsApp do seu negócio em uma fila só e sem perder mensagem. Teste gratuito por 10 dias, sem cartão.'

const fontFace = (url: string) =>
  `@font-face{font-family:"Inter Variable";src:url(${url}) format("woff2");font-weight:100 900;font-display:optional}`

/** Exported because the content security policy allows it by hash. */
export const landingStyle = ({ style, fontUrl }: Look): string => fontFace(fontUrl) + style

const rendered = (look: Look, title: string, head: ReactNode, body: ReactNode): string => {
  const document = renderToStaticMarkup(
    <html lang="pt-BR">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#F6F5F1" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#121413" />
        <title>{title}</title>
        {head}
        <link rel="icon" href="/prosa.svg" type="image/svg+xml" />
        <link rel="preload" href={look.fontUrl} as="font" type="font/woff2" crossOrigin="anonymous" />
        <style>{landingStyle(look)}</style>
      </head>
      <body>{body}</body>
    </html>,
  )
  return `<!doctype html>${document}`
}

export const renderLanding = ({ style, fontUrl, origin, ...page }: LandingDocument): string =>
  rendered(
    { style, fontUrl },
    title,
    <>
      <meta name="description" content={description} />
      <meta property="og:type" content="website" />
      <meta property="og:locale" content="pt_BR" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      {origin && <meta property="og:url" content={`${origin}/`} />}
      {origin && <meta property="og:image" content={`${origin}/landing/live-chat-light.webp`} />}
    </>,
    <StaticRouter location="/">
      <LandingPage {...page} />
    </StaticRouter>,
  )

/** The documents that everybody gets at their paths, signed in or not. */
export const renderLegal = (look: Look, facts: LegalFacts): { path: string; html: string }[] =>
  [termsDocument, privacyDocument].map(({ path, title, Page }) => ({
    path,
    html: rendered(look, title, null, <Page facts={facts} />),
  }))
