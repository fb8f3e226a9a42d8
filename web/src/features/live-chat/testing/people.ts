import { screen } from '@testing-library/react'
import { someContact } from './chat-server.ts'

export const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

export const mariana = () =>
  someContact({ id: 'mariana', name: 'Mariana', phone: '5511988776655', waitingSince: minutesAgo(6), unreadCount: 1 })
export const thiago = () =>
  someContact({ id: 'thiago', name: 'Thiago', phone: '5521988776644', waitingSince: minutesAgo(2) })
export const rafaela = () =>
  someContact({ id: 'rafaela', name: 'Rafaela', phone: '5531988776633', serviceStatus: 'attending' })

export const row = (name: RegExp) => screen.findByRole('option', { name })
export const composer = () =>
  screen.findByPlaceholderText<HTMLTextAreaElement>('Digite uma mensagem ou / para respostas rápidas')
export const address = () => screen.getByLabelText('Endereço').textContent
export const heading = (name: string) => screen.findByRole('heading', { level: 2, name })
