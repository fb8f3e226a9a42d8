import type { ReactNode } from 'react'
import { Logo } from '../../../components/layout/logo.tsx'
import './legal.css'

/** From the settings of whoever runs this Prosa; undefined: not filled in. */
export interface LegalFacts {
  /** The day of the version, `2026-11-27`. */
  version: string
  seller: {
    name: string | undefined
    document: string | undefined
    address: string | undefined
    email: string | undefined
  }
  privacy: {
    officer: string | undefined
    email: string | undefined
    dataLocation: string | undefined
    backupDays: number | undefined
  }
  /** What follows the grace period. */
  afterEnd: 'free_plan' | 'ended' | 'unchanged'
  deliveryDays: number
}

const day = new Intl.DateTimeFormat('pt-BR', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** What nobody filled in is named as missing, not invented. */
export const Given = ({ value }: { value: string | undefined }) => value ?? <em>ainda não informado</em>

export const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h2>{title}</h2>
    {children}
  </section>
)

export const Seller = ({ of: { name, document, address, email } }: { of: LegalFacts['seller'] }) => (
  <>
    <dl>
      <div>
        <dt>Nome</dt>
        <dd>
          <Given value={name} />
        </dd>
      </div>
      <div>
        <dt>CNPJ ou CPF</dt>
        <dd>
          <Given value={document} />
        </dd>
      </div>
      <div>
        <dt>Endereço</dt>
        <dd>
          <Given value={address} />
        </dd>
      </div>
      <div>
        <dt>E-mail</dt>
        <dd>{email ? <a href={`mailto:${email}`}>{email}</a> : <Given value={undefined} />}</dd>
      </div>
    </dl>
    {!(name && document && address && email) && (
      <p className="legal-missing">
        Quem opera este endereço ainda não preencheu todos os dados de quem vende. Antes de comprar, peça-os.
      </p>
    )}
  </>
)

interface Props {
  title: string
  version: string
  other: { path: string; title: string }
  children: ReactNode
}

export const LegalPage = ({ title, version, other, children }: Props) => (
  <div className="landing legal">
    <header className="landing-header">
      <a href="/" className="legal-home" aria-label="Prosa, voltar ao início">
        <Logo />
      </a>
    </header>
    <main>
      <h1>{title}</h1>
      <p className="legal-version">
        Versão de <time dateTime={version}>{day.format(Date.parse(version))}</time>
      </p>
      {children}
    </main>
    <footer className="landing-footer">
      <nav aria-label="Rodapé">
        <a href="/">Início</a>
        <a href={other.path}>{other.title}</a>
      </nav>
    </footer>
  </div>
)
