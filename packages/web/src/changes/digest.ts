/** A digest of lines that tells changes apart. It is fast rather than safe against people who look for collisions. */
export class Digest {
  private high = 0xdeadbeef;
  private low = 0x41c6ce57;

  add(line: string): void {
    let { high, low } = this;
    for (let at = 0; at < line.length; at++) {
      const code = line.charCodeAt(at);
      high = Math.imul(high ^ code, 2_654_435_761);
      low = Math.imul(low ^ code, 1_597_334_677);
    }
    // The end of the line counts too.
    this.high = Math.imul(high ^ (low >>> 15), 2_246_822_507);
    this.low = Math.imul(low ^ (high >>> 13), 3_266_489_909);
  }

  get text(): string {
    return `${(this.high >>> 0).toString(36)}.${(this.low >>> 0).toString(36)}`;
  }
}
