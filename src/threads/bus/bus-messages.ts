/** What a sending and a receiving pipeline say to each other over their port. */

export interface Delivery {
  readonly bytes: Uint8Array
  readonly count: number
  readonly delivery: number
}

/** The events of the delivery are safe with the receiver. */
export interface Receipt {
  readonly delivery: number
}
