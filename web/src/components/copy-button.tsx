import IconButton from '@mui/material/IconButton'
import { useEffect, useState } from 'react'
import CheckIcon from '~icons/ic/round-check'
import CopyIcon from '~icons/ic/round-content-copy'
import { copyText } from '../lib/browser/copy-text.ts'
import { useToast } from '../lib/toast.ts'
import { KeyHint } from './key-hint.tsx'

const confirmedMs = 2000

type Props = {
  text: string
  /** With its article, for use in a sentence: 'o token'. */
  what: string
  /** Distinguishes adjacent copy buttons. */
  about?: string
  /** Toast, e.g. 'Token copiado!'. */
  done: string
}

export const CopyButton = ({ text, what, about, done }: Props) => {
  const toast = useToast()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), confirmedMs)
    return () => clearTimeout(timer)
  }, [copied])

  const copy = () =>
    copyText(text).then(
      () => {
        setCopied(true)
        toast({ title: done, kind: 'success' })
      },
      () =>
        toast({
          title: 'Erro ao copiar',
          description: `Não foi possível copiar ${what}. Tente novamente.`,
          kind: 'error',
        }),
    )
  const label = about === undefined ? `Copiar ${what}` : `Copiar ${what}: ${about}`
  return (
    <KeyHint title={label}>
      <IconButton aria-label={label} color="secondary" onClick={() => void copy()}>
        {copied ? <CheckIcon /> : <CopyIcon />}
      </IconButton>
    </KeyHint>
  )
}
