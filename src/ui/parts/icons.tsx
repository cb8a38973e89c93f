/** The few pictures the dashboard has, drawn with the colour of the text around them. */
const paths = {
  flow: 'M4 5h6v5H4zM14 14h6v5h-6zM10 7.5h4a3 3 0 0 1 3 3V14',
  discover: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L21 21',
  health: 'M3 12h4l3-7 4 14 3-7h4',
  indices: 'M4 6c0-3 16-3 16 0s-16 3-16 0zM4 6v12c0 3 16 3 16 0V6M4 12c0 3 16 3 16 0',
  grok: 'M8 5L3 12l5 7M16 5l5 7-5 7M13.5 4l-3 16',
  tail: 'M4 6h16M4 11h12M4 16h14M4 21h7',
  lineage: 'M6 4v6a4 4 0 0 0 4 4h4a4 4 0 0 1 4 4v2M4 4h4M16 20h4M18 4a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  editor: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  fleet: 'M4 4h16v6H4zM4 14h16v6H4zM7 7h.5M7 17h.5',
  leave: 'M10 4H4v16h6M15 8l4 4-4 4M9 12h10',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5L19 19M5 19l1.5-1.5M17.5 6.5L19 5',
  moon: 'M20 14a8 8 0 1 1-10-10 6.5 6.5 0 0 0 10 10z',
  system: 'M3 5h18v11H3zM8 20h8M12 16v4',
  help: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 18v.5',
  close: 'M6 6l12 12M18 6L6 18',
  first: 'M17 6l-6 6 6 6M7 6v12',
  previous: 'M15 6l-6 6 6 6',
  next: 'M9 6l6 6-6 6',
  last: 'M7 6l6 6-6 6M17 6v12',
  down: 'M6 9l6 6 6-6',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  columns: 'M4 5h16v14H4zM12 5v14',
  copy: 'M8 8h11v12H8zM5 16V4h11',
  pin: 'M9 4h6l-1 6 3 3H7l3-3zM12 13v7',
  more: 'M5 12h.5M12 12h.5M19 12h.5',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4l3 2',
  refresh: 'M20 11a8 8 0 1 0-2 6M20 5v6h-6',
} as const

export type IconName = keyof typeof paths

const drawing = { fill: 'none', 'stroke-linecap': 'round' } as const

export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      {...drawing}
      viewBox="0 0 24 24"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  )
}

export function Wheel() {
  return (
    <svg {...drawing} viewBox="0 0 32 32" stroke="var(--accent)" stroke-width="2.4" aria-hidden="true">
      <circle cx="16" cy="14" r="7" />
      <path d="M16 4v20M6 14h20M9 7l14 14M23 7L9 21" />
      <path
        d="M3 28c3.300-2.400 5.400-2.400 8.700 0s5.400 2.400 8.700 0 5.400-2.400 8.700 0"
        stroke="var(--bar)"
      />
    </svg>
  )
}
