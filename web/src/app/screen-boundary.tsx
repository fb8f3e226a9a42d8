import { Component, type ReactNode } from 'react'
import '../components/forms/button.css'
import '../components/notices/page-trouble.css'

/** Also catches screens whose code failed to load. */
export class ScreenBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  override render() {
    if (!this.state.broken) return this.props.children
    return (
      <div className="page-trouble" role="alert">
        <p>Esta tela parou de funcionar. Nada do que foi confirmado se perdeu.</p>
        <button type="button" className="button button-primary" onClick={() => window.location.reload()}>
          Recarregar
        </button>
      </div>
    )
  }
}
