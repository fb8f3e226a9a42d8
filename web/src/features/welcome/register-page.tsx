import { useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import { Logo } from '../../components/layout/logo.tsx'
import { paths } from '../../lib/paths.ts'
import { trialUsed } from './api.ts'
import { noRegistration, RegisterForm } from './register-form.tsx'
import '../../components/forms/button.css'
import './welcome.css'

const benefits = [
  ['10 dias grátis, sem cartão', 'Use tudo durante o teste, uma vez por e-mail. Se não servir, é só parar.'],
  ['Conectado em um minuto', 'Leia um QR Code com o celular do seu negócio e as conversas chegam aqui.'],
  ['Quem espera aparece primeiro', 'Aguardando, atendendo, resolvido: cada conversa tem o seu lugar.'],
  ['Você sabe o que aconteceu', 'Enviada, entregue, lida ou não enviada: cada mensagem diz como está.'],
] as const

const words = {
  done: { title: 'Conta criada com sucesso!', withoutTrial: trialUsed },
  failed: { title: 'Erro ao criar conta', fallback: 'Erro interno do servidor' },
}

export const RegisterPage = () => {
  const registration = useState(noRegistration)
  useEffect(() => {
    document.title = 'Criar conta · Prosa'
  }, [])
  return (
    <div className="welcome-page welcome-columns">
      <aside className="welcome-benefits" aria-label="O que você recebe">
        <Link to={paths.home} className="welcome-home" aria-label="Prosa, voltar ao site">
          <Logo />
        </Link>
        <ul>
          {benefits.map(([title, sentence]) => (
            <li key={title}>
              <strong>{title}</strong>
              <span>{sentence}</span>
            </li>
          ))}
        </ul>
      </aside>
      <main className="welcome-panel">
        <h1>Crie sua conta</h1>
        <RegisterForm words={words} state={registration} />
        <p className="welcome-links">
          <span>
            Já tem uma conta? <Link to={paths.login}>Entrar</Link>
          </span>
          <Link to={paths.home}>Voltar ao site</Link>
        </p>
      </main>
    </div>
  )
}
