import { World } from 'ricochet';
import { Robot, readUrdf } from 'ricochet/urdf';

const text = `<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <inertial>
      <mass value="2"/><origin xyz="0 0 0.25"/><inertia ixx="0.04" iyy="0.04" izz="0.002"/>
    </inertial>
    <collision>
      <origin xyz="0 0 0.25"/><geometry><cylinder radius="0.05" length="0.5"/></geometry>
    </collision>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-1.5" upper="1.5" effort="60" velocity="2"/>
  </joint>
</robot>`;

const world = new World(); // or the client that createPhysics gives
const urdf = readUrdf(text, { fixedBase: true, position: [0, 1, 0] });
const arm = new Robot(world, urdf);
arm.setTargets({ shoulder: 0.8 });
for (let i = 0; i < 120; i++) world.step(1 / 60);
console.log(arm.jointNames, arm.getPositions(), urdf.warnings);
