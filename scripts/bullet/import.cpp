// Reads a .bullet file with Bullet's own importer, and prints what came of it as JSON: bodies and constraints, and where the bodies
// are after some steps. scripts/bullet/run.mjs builds and runs it.
#include <cstdio>
#include <cstdlib>
#include "btBulletDynamicsCommon.h"
#include "btBulletWorldImporter.h"

static void printBodies(btDiscreteDynamicsWorld& world, const char* name)
{
	printf("\"%s\":[", name);
	for (int i = 0; i < world.getNumCollisionObjects(); i++)
	{
		const btCollisionObject* object = world.getCollisionObjectArray()[i];
		const btRigidBody* body = btRigidBody::upcast(object);
		const btTransform& t = object->getWorldTransform();
		const btQuaternion q = t.getRotation();
		btVector3 low, high;
		object->getCollisionShape()->getAabb(btTransform::getIdentity(), low, high);
		printf("%s{\"shape\":%d,\"inverseMass\":%.9g,\"friction\":%.9g,\"restitution\":%.9g,"
			   "\"position\":[%.9g,%.9g,%.9g],\"rotation\":[%.9g,%.9g,%.9g,%.9g],\"box\":[%.9g,%.9g,%.9g,%.9g,%.9g,%.9g]}",
			   i == 0 ? "" : ",", object->getCollisionShape()->getShapeType(), body ? double(body->getInvMass()) : 0.,
			   double(object->getFriction()), double(object->getRestitution()),
			   double(t.getOrigin().x()), double(t.getOrigin().y()), double(t.getOrigin().z()),
			   double(q.x()), double(q.y()), double(q.z()), double(q.w()),
			   double(low.x()), double(low.y()), double(low.z()), double(high.x()), double(high.y()), double(high.z()));
	}
	printf("]");
}

int main(int argc, char** argv)
{
	if (argc < 2) return 2;
	const int steps = argc > 2 ? atoi(argv[2]) : 0;
	btDefaultCollisionConfiguration configuration;
	btCollisionDispatcher dispatcher(&configuration);
	btDbvtBroadphase broadphase;
	btSequentialImpulseConstraintSolver solver;
	btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
	btBulletWorldImporter importer(&world);
	if (!importer.loadFile(argv[1]))
	{
		fprintf(stderr, "Bullet's importer refuses the file\n");
		return 1;
	}
	const btVector3 gravity = world.getGravity();
	printf("{\"gravity\":[%.9g,%.9g,%.9g],", double(gravity.x()), double(gravity.y()), double(gravity.z()));
	printBodies(world, "bodies");
	printf(",\"constraints\":[");
	for (int i = 0; i < world.getNumConstraints(); i++)
	{
		const btTypedConstraint* constraint = world.getConstraint(i);
		printf("%s{\"type\":%d,\"enabled\":%d,\"breaking\":%.9g}", i == 0 ? "" : ",", constraint->getConstraintType(),
			   constraint->isEnabled(), double(constraint->getBreakingImpulseThreshold()));
	}
	printf("],");
	for (int i = 0; i < steps; i++) world.stepSimulation(btScalar(1. / 60.), 0);
	printBodies(world, "after");
	printf("}\n");
	return 0;
}
