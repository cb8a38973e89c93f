/** A request that cannot be served, and the status that says so; each API renders it in its own form. */
export class HttpProblem extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'HttpProblem'
    this.status = status
  }
}
