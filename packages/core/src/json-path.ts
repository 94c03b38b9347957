/** A position in a line of JSON: names of members, indexes of elements. */
export type JsonPath = readonly (string | number)[];
