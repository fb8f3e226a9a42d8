import type { OfferedPlan } from '@prosa/contracts/http/accounts/plans'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Logo } from '../../components/layout/logo.tsx'
import { billingTab, paths, privacyPath, termsPath } from '../../lib/paths.ts'
import { features, stories } from './landing-content.ts'
import { type LandingCounts, landingFigures } from './landing-figures.ts'
import '../../components/forms/button.css'
import './landing.css'

export interface LandingPageProps {
  plans: readonly OfferedPlan[]
  counts?: LandingCounts | undefined
  supportEmail?: string | undefined
  /** Who sells; undefined: not filled in. */
  sellerName?: string | undefined
  notice?: string | undefined
}

const sections = [
  { id: 'recursos', label: 'Recursos' },
  { id: 'depoimentos', label: 'Depoimentos' },
  { id: 'precos', label: 'Preços' },
] as const

const Header = () => (
  <header className="landing-header">
    <Logo />
    <nav aria-label="Nesta página" className="landing-anchors">
      {sections.map(({ id, label }) => (
        <a key={id} href={`#${id}`}>
          {label}
        </a>
      ))}
    </nav>
    <div className="landing-entries">
      <Link to={paths.login} className="button">
        Entrar
      </Link>
      <Link to={paths.register} className="button button-primary">
        Teste Gratuito
      </Link>
    </div>
  </header>
)

const Hero = () => (
  <section className="landing-hero">
    <h1>
      Seu cliente chamou. <em>Alguém já está respondendo.</em>
    </h1>
    <p className="landing-lead">
      O Prosa reúne as conversas do WhatsApp do seu negócio em uma fila só: quem espera aparece primeiro, e nenhuma
      mensagem se perde.
    </p>
    <div className="landing-actions">
      <Link to={paths.register} className="button button-primary button-large">
        Teste Gratuito por 10 Dias
      </Link>
      <a href="#recursos" className="button button-large landing-outlined">
        Ver Demonstração
      </a>
      <span>Sem cartão de crédito</span>
    </div>
    <picture>
      <source media="(prefers-color-scheme: dark)" srcSet="/landing/live-chat-dark.webp" />
      <img
        className="landing-screen"
        src="/landing/live-chat-light.webp"
        width={1280}
        height={800}
        alt="O bate-papo ao vivo do Prosa: à esquerda a fila de conversas, à direita a conversa com uma cliente da padaria."
      />
    </picture>
  </section>
)

const Figures = ({ counts }: { counts: LandingCounts | undefined }) => (
  <ul className="landing-figures" aria-label="O Prosa em números">
    {landingFigures(counts).map(({ value, label }) => (
      <li key={label}>
        <strong>{value}</strong>
        <span>{label}</span>
      </li>
    ))}
  </ul>
)

const Section = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section id={id} className="landing-section" aria-labelledby={`${id}-titulo`}>
    <h2 id={`${id}-titulo`}>{title}</h2>
    {children}
  </section>
)

const PlanCard = ({ plan, isFirst }: { plan: OfferedPlan; isFirst: boolean }) => (
  <li className={isFirst ? 'landing-plan landing-plan-first' : 'landing-plan'}>
    <h3>
      {plan.planName}
      {isFirst && <span className="landing-badge">Mais Popular</span>}
    </h3>
    <p className="landing-price">
      <strong>{plan.price}</strong>
      <span>/{plan.accessDays} dias</span>
    </p>
    {plan.description && <p>{plan.description}</p>}
    {plan.purchaseUrl ? (
      <a className="button landing-outlined" href={plan.purchaseUrl} target="_blank" rel="noopener noreferrer">
        Assinar
      </a>
    ) : (
      <Link className="button landing-outlined" to={billingTab('planos')}>
        Pedir este plano
      </Link>
    )}
  </li>
)

const Pricing = ({ plans }: { plans: readonly OfferedPlan[] }) => (
  <ul className="landing-plans">
    <li className="landing-plan landing-plan-free">
      <h3>Teste gratuito</h3>
      <p className="landing-price">
        <strong>R$ 0</strong>
        <span>/10 dias</span>
      </p>
      <p>Tudo do Prosa por 10 dias, sem cartão, uma vez por e-mail. Depois, o que você guardou continua aqui.</p>
      <Link to={paths.register} className="button button-primary">
        Começar agora
      </Link>
    </li>
    {plans.map((plan, index) => (
      <PlanCard key={plan.planId} plan={plan} isFirst={index === 0} />
    ))}
  </ul>
)

const Footer = ({ supportEmail, sellerName }: Pick<LandingPageProps, 'supportEmail' | 'sellerName'>) => (
  <footer className="landing-footer">
    <Logo />
    <nav aria-label="Rodapé">
      <Link to={paths.liveChat}>Bate Papo ao vivo</Link>
      <Link to={paths.conversationFlows}>Fluxos de Conversa</Link>
      <Link to={paths.settings}>Configurações</Link>
      <Link to={paths.help}>Ajuda</Link>
      <Link to={paths.billing}>Faturamento</Link>
      <a href={termsPath}>Termos de uso</a>
      <a href={privacyPath}>Privacidade</a>
    </nav>
    {sellerName && <span>{sellerName}</span>}
    {supportEmail && <a href={`mailto:${supportEmail}`}>{supportEmail}</a>}
  </footer>
)

/** The server renders the same as HTML without scripts (`render-landing.tsx`). */
export const LandingPage = ({ plans, counts, supportEmail, sellerName, notice }: LandingPageProps) => (
  <div className="landing">
    <Header />
    {notice && (
      <p role="status" className="landing-notice">
        {notice}
      </p>
    )}
    <main>
      <Hero />
      <Figures counts={counts} />
      <Section id="recursos" title="O que muda no seu atendimento">
        <ul className="landing-features">
          {features.map(({ title, text }) => (
            <li key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </Section>
      <Section id="depoimentos" title="Como seria no seu balcão">
        <ul className="landing-stories">
          {stories.map(({ text, who }) => (
            <li key={who}>
              <span className="landing-badge">Exemplo</span>
              <blockquote>{text}</blockquote>
              <cite>{who}</cite>
            </li>
          ))}
        </ul>
      </Section>
      <Section id="precos" title="Preços">
        <Pricing plans={plans} />
      </Section>
      <section className="landing-closing">
        <h2>Dez dias para ver a fila andar.</h2>
        <Link to={paths.register} className="button button-primary button-large">
          Teste Gratuito
        </Link>
      </section>
    </main>
    <Footer supportEmail={supportEmail} sellerName={sellerName} />
  </div>
)
