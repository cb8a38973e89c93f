/** The views of the dashboard: name, key after `g`, and the script that shows it. */
import type { ComponentType } from 'preact'
import { FlowView } from '../flow/flow-view.tsx'
import type { IconName } from '../parts/icons.tsx'

export interface View {
  readonly name: string
  readonly title: string
  /** After `g`. */
  readonly key: string
  readonly icon: IconName
  /** All but the first view come when they are asked for. */
  readonly load: () => Promise<ComponentType> | ComponentType
}

export const views: readonly View[] = [
  { name: 'flow', title: 'Flow', key: 'f', icon: 'flow', load: () => FlowView },
  {
    name: 'discover',
    title: 'Discover',
    key: 'd',
    icon: 'discover',
    load: () => import('../discover/discover-view.tsx').then(({ DiscoverView }) => DiscoverView),
  },
  {
    name: 'indices',
    title: 'Indices',
    key: 'i',
    icon: 'indices',
    load: () => import('../indices/indices-view.tsx').then(({ IndicesView }) => IndicesView),
  },
  {
    name: 'tail',
    title: 'Tail',
    key: 't',
    icon: 'tail',
    load: () => import('../tail/tail-view.tsx').then(({ TailView }) => TailView),
  },
  {
    name: 'health',
    title: 'Health',
    key: 'h',
    icon: 'health',
    load: () => import('../health/health-view.tsx').then(({ HealthView }) => HealthView),
  },
  {
    name: 'lineage',
    title: 'Lineage',
    key: 'l',
    icon: 'lineage',
    load: () => import('../lineage/lineage-view.tsx').then(({ LineageView }) => LineageView),
  },
  {
    name: 'grok',
    title: 'Grok',
    key: 'w',
    icon: 'grok',
    load: () => import('../grok/grok-view.tsx').then(({ GrokView }) => GrokView),
  },
  {
    name: 'editor',
    title: 'Editor',
    key: 'e',
    icon: 'editor',
    load: () => import('../editor/editor-view.tsx').then(({ EditorView }) => EditorView),
  },
  {
    name: 'fleet',
    title: 'Fleet',
    key: 'n',
    icon: 'fleet',
    load: () => import('../fleet/fleet-view.tsx').then(({ FleetView }) => FleetView),
  },
]

/** How many stay in sight where there is little room; the others stand in a sheet. */
export const viewsInSight = 5

export function viewNamed(name: string | undefined): View {
  return views.find((view) => view.name === name) ?? views[0]!
}
