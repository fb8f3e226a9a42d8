import { Component, type ReactNode } from 'react'
import '../components/button.css'
import './screen-boundary.css'

/** Holds a screen that broke, or whose code could not be loaded, and leaves the rest of the page standing. */
export class ScreenBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  override render() {
    if (!this.state.broken) return this.props.children
    return (
      <div className="screen-broken" role="alert">
        <p>Esta tela parou de funcionar. Nada do que foi confirmado se perdeu.</p>
        <button type="button" className="button button-primary" onClick={() => window.location.reload()}>
          Recarregar
        </button>
      </div>
    )
  }
}
