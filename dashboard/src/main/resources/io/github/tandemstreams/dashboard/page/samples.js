// The last quarter of an hour of a stream, as it grows.

const KEPT = 15 * 60 * 1000;

export class Samples {
  all = [];

  /** When the newest one was taken: only later ones are asked for. */
  get newest() {
    return this.all.length === 0 ? 0 : this.all[this.all.length - 1].at;
  }

  add(later) {
    const newest = this.newest;
    this.all.push(...later.filter(sample => sample.at > newest));
    const first = this.all.findIndex(sample => sample.at >= this.newest - KEPT);
    this.all.splice(0, Math.max(0, first));
  }

  get last() {
    return this.all[this.all.length - 1];
  }

  /** One number of each, for a plot. */
  column(of) {
    return this.all.map(sample => of(sample) ?? null);
  }

  get seconds() {
    return this.all.map(sample => sample.at / 1000);
  }
}
