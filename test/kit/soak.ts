/** How often a sweep repeats: a few rounds in `npm test`, all of them in `npm run soak`. */
export const rounds = (usual: number, inSoak: number): number =>
  process.env["SOAK"] === "1" ? inSoak : usual;
