import '../forms/button.css'
import { useEffect } from 'react'
import { sentenceOf } from '../../lib/http/http.ts'
import './page-trouble.css'

const retryMs = 5000

/** Also retries by itself. */
export const ConnectionTrouble = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => {
  useEffect(() => {
    const timer = setInterval(onRetry, retryMs)
    return () => clearInterval(timer)
  }, [onRetry])
  return (
    <main className="page-trouble" role="alert">
      <p>{sentenceOf(error, 'O Prosa não está respondendo neste momento. Tente de novo em instantes.')}</p>
      <button type="button" className="button button-primary" onClick={onRetry}>
        Tentar de novo
      </button>
    </main>
  )
}
