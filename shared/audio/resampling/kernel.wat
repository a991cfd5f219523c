(module
  (import "m" "m" (memory 1))
  (func (export "run") (param $table i32) (param $bytes i32) (param $in i32) (param $out i32) (param $end i32)
    (param $phase i32) (param $phases i32) (param $step i32) (param $skip i32)
    (local $at i32) (local $tap i32) (local $stop i32) (local $x v128) (local $y v128)
    (loop $each
      (local.set $at (local.get $in))
      (local.set $tap (i32.add (local.get $table) (i32.mul (local.get $phase) (local.get $bytes))))
      (local.set $stop (i32.add (local.get $tap) (local.get $bytes)))
      (local.set $x (v128.const f32x4 0 0 0 0))
      (local.set $y (v128.const f32x4 0 0 0 0))
      (loop $more
        (local.set $x (f32x4.add (local.get $x) (f32x4.mul (v128.load (local.get $at)) (v128.load (local.get $tap)))))
        (local.set $y (f32x4.add (local.get $y) (f32x4.mul (v128.load offset=16 (local.get $at)) (v128.load offset=16 (local.get $tap)))))
        (local.set $at (i32.add (local.get $at) (i32.const 32)))
        (br_if $more (i32.lt_u (local.tee $tap (i32.add (local.get $tap) (i32.const 32))) (local.get $stop))))
      (local.set $x (f32x4.add (local.get $x) (local.get $y)))
      (f32.store (local.get $out)
        (f32.add
          (f32.add (f32x4.extract_lane 0 (local.get $x)) (f32x4.extract_lane 1 (local.get $x)))
          (f32.add (f32x4.extract_lane 2 (local.get $x)) (f32x4.extract_lane 3 (local.get $x)))))
      (local.set $in (i32.add (local.get $in) (local.get $skip)))
      (local.set $phase (i32.add (local.get $phase) (local.get $step)))
      (if (i32.ge_u (local.get $phase) (local.get $phases))
        (then
          (local.set $phase (i32.sub (local.get $phase) (local.get $phases)))
          (local.set $in (i32.add (local.get $in) (i32.const 4)))))
      (br_if $each (i32.lt_u (local.tee $out (i32.add (local.get $out) (i32.const 4))) (local.get $end))))))
