import { describe, expect, it } from "vitest";
import { canonicalJson } from "./canonicalJson.ts";

describe("canonicalJson", () => {
  it("writes RFC 8785's own example", () => {
    const value = {
      numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"/",
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it("sorts keys by UTF-16 code units, not by code points", () => {
    expect(canonicalJson({ "\ufb33": 1, "\ud83d\ude00": 2, "\r": 3, "1": 4, "\u00e9": 5 })).toBe(
      '{"\\r":3,"1":4,"\u00e9":5,"\ud83d\ude00":2,"\ufb33":1}',
    );
  });

  it("leaves out undefined members and writes -0 as 0", () => {
    expect(canonicalJson({ b: undefined, a: -0 })).toBe('{"a":0}');
  });

  it.each([[Number.NaN], [Number.POSITIVE_INFINITY], [1n], ["\ud800"], [() => 1], [[undefined]]])(
    "refuses %s",
    (value) => {
      expect(() => canonicalJson(value)).toThrow(expect.objectContaining({ code: "NOT_CANONICAL" }));
    },
  );
});
