import { readConfig } from '@prosa/product/process/config'
import { describe, expect, it } from 'vitest'

const production = { PROSA_SECRET: 'ab'.repeat(32) }
const mail = { PROSA_SMTP_URL: 'smtps://user:pass@mail.example.com', PROSA_MAIL_FROM: 'Prosa <a@example.com>' }

describe('the environment', () => {
  it('names who has a role, in lower case, and nobody when it is silent', () => {
    const { roleList } = readConfig('development', { PROSA_ADMIN_EMAILS: ' Ana@Example.com, ,bia@example.com' })
    expect(roleList).toEqual({ admin: ['ana@example.com', 'bia@example.com'], analyst: [] })
  })

  it('reports where mail goes out, or that none does', () => {
    expect(readConfig('development', mail).smtp).toEqual({ url: mail.PROSA_SMTP_URL, from: mail.PROSA_MAIL_FROM })
    expect(readConfig('development', { PROSA_SMTP_URL: '', PROSA_MAIL_FROM: '' }).smtp).toBeUndefined()
  })

  it('reports where browsers find us in any writing, as they themselves write it', () => {
    const PROSA_PUBLIC_URL = ' https://Atendimento.Example.com/, https://b.example.com:443,http://c.example.com:8080/ ,'
    const { trustedOrigins } = readConfig('production', { ...production, PROSA_PUBLIC_URL })
    expect(trustedOrigins).toEqual([
      'https://atendimento.example.com',
      'https://b.example.com',
      'http://c.example.com:8080',
    ])
    expect(readConfig('development', { PROSA_PUBLIC_URL: '' }).trustedOrigins).toEqual([])
  })

  it.each(['atendimento.example.com', 'atendimento.example.com:3000', 'ftp://example.com', 'https://'])(
    'is refused when no link could lead there: %s',
    (address) => {
      expect(() =>
        readConfig('production', { ...production, PROSA_PUBLIC_URL: `https://a.example.com,${address}` }),
      ).toThrow(`PROSA_PUBLIC_URL: '${address}' is no address such as https://atendimento.example.com`)
    },
  )

  it('is refused when mail would have no sender, no server or, in production, no address to lead to', () => {
    expect(() => readConfig('development', { PROSA_SMTP_URL: mail.PROSA_SMTP_URL })).toThrow('PROSA_MAIL_FROM')
    expect(() => readConfig('development', { ...mail, PROSA_SMTP_URL: 'https://mail.example.com' })).toThrow(
      'PROSA_SMTP_URL',
    )
    expect(() => readConfig('production', { ...production, ...mail })).toThrow('PROSA_PUBLIC_URL')
    expect(
      readConfig('production', { ...production, ...mail, PROSA_PUBLIC_URL: 'https://a.example.com' }).smtp,
    ).toBeDefined()
  })

  it('needs confirmed addresses for sending in production where mails go out, unless it says otherwise', () => {
    const needs = (entry: 'production' | 'development', more: Record<string, string>) =>
      readConfig(entry, {
        ...production,
        PROSA_PUBLIC_URL: entry === 'production' ? 'https://a.example.com' : '',
        ...more,
      }).sendingNeedsConfirmedEmail
    expect([needs('production', mail), needs('production', {}), needs('development', mail)]).toEqual([
      true,
      false,
      false,
    ])
    const set = (value: string) => ({ PROSA_SENDING_NEEDS_CONFIRMED_EMAIL: value })
    expect(needs('production', { ...mail, ...set('false') })).toBe(false)
    expect(needs('development', set('true'))).toBe(true)
    expect(() => needs('production', set('true'))).toThrow('PROSA_SMTP_URL')
  })
})
