import { isValidElement } from "react";
import { expect, test } from "vitest";
import { shippedPresets } from "../../server/src/drivers/presets.ts";
import { icons, lookOf } from "../src/agents/agent-icon.tsx";
import { productOf } from "../src/agents/families.ts";

const products = [...new Set(shippedPresets("/").map(productOf))];

test("every agent that ships with Drover has an icon, and no two are alike", () => {
  expect(Object.keys(icons).toSorted()).toEqual(products.toSorted());
  const shapes = Object.values(icons).map(
    ({ shape }) => isValidElement(shape) && JSON.stringify(shape.props),
  );
  expect(new Set(shapes).size).toBe(products.length);
  expect(new Set(Object.values(icons).map(({ hue }) => hue)).size).toBe(products.length);
});

test("agents with the same monogram differ in outline or hue, and always look the same", () => {
  const [first, second] = [lookOf("Code Crab"), lookOf("Cool Cat")];
  expect(first.letters).toBe(second.letters);
  expect({ ...first }).not.toEqual({ ...second });
  expect(lookOf("Code Crab")).toEqual(first);
});
