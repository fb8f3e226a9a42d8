import './logo.css'

export const Logo = () => (
  <span className="logo">
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <path
        fill="var(--primary)"
        d="M9 3h14a6 6 0 0 1 6 6v9a6 6 0 0 1-6 6h-8.2l-6.1 4.7A1.05 1.05 0 0 1 7 27.9V23.7A6 6 0 0 1 3 18V9a6 6 0 0 1 6-6Z"
      />
      <path fill="none" stroke="var(--on-primary)" strokeWidth="2.6" strokeLinecap="round" d="M9.5 11h13M9.5 16.2h8" />
    </svg>
    Prosa
  </span>
)
