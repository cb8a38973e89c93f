import { describe, expect, it } from 'vitest'
import { FigureReports } from './figure-reports.ts'

describe('FigureReports', () => {
  it('tells figures once, and again when they have changed', () => {
    const figures = { events: 0 }
    const told: number[] = []
    const reports = new FigureReports(
      () => figures,
      ({ events }) => told.push(events),
    )
    reports.report()
    reports.report()
    figures.events = 3
    reports.report()
    reports.report()
    expect(told).toEqual([0, 3])
  })
})
