;; Peaks from samples to the next ones, four places at once. A filter of 24 taps is the mirror of another or of itself, so the sums and differences
;; of the samples at equal distances are multiplied instead: the table has, for each distance, the taps of the half, and the even and odd part of
;; those of the quarter.
(module
  (import "m" "m" (memory 1))
  (func (export "run") (param $table i32) (param $in i32) (param $out i32) (param $end i32)
    (local $at i32) (local $back i32) (local $tap i32) (local $x v128) (local $y v128) (local $sum v128)
    (local $half v128) (local $even v128) (local $odd v128)
    (loop $each
      (local.set $at (local.get $in))
      (local.set $back (i32.add (local.get $in) (i32.const 92)))
      (local.set $tap (local.get $table))
      (local.set $half (v128.const f32x4 0 0 0 0))
      (local.set $even (v128.const f32x4 0 0 0 0))
      (local.set $odd (v128.const f32x4 0 0 0 0))
      (loop $more
        (local.set $x (v128.load (local.get $at)))
        (local.set $y (v128.load (local.get $back)))
        (local.set $sum (f32x4.add (local.get $x) (local.get $y)))
        (local.set $half (f32x4.add (local.get $half) (f32x4.mul (local.get $sum) (v128.load32_splat (local.get $tap)))))
        (local.set $even (f32x4.add (local.get $even) (f32x4.mul (local.get $sum) (v128.load32_splat offset=4 (local.get $tap)))))
        (local.set $odd
          (f32x4.add (local.get $odd) (f32x4.mul (f32x4.sub (local.get $x) (local.get $y)) (v128.load32_splat offset=8 (local.get $tap)))))
        (local.set $tap (i32.add (local.get $tap) (i32.const 12)))
        (br_if $more
          (i32.lt_u
            (local.tee $at (i32.add (local.get $at) (i32.const 4)))
            (local.tee $back (i32.sub (local.get $back) (i32.const 4))))))
      (v128.store (local.get $out)
        (f32x4.pmax
          (f32x4.pmax (f32x4.abs (v128.load offset=44 (local.get $in))) (f32x4.abs (local.get $half)))
          (f32x4.pmax
            (f32x4.abs (f32x4.add (local.get $even) (local.get $odd)))
            (f32x4.abs (f32x4.sub (local.get $even) (local.get $odd))))))
      (local.set $in (i32.add (local.get $in) (i32.const 16)))
      (br_if $each (i32.lt_u (local.tee $out (i32.add (local.get $out) (i32.const 16))) (local.get $end))))))
